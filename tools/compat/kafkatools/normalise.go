package kafkatools

import (
	"fmt"
	"regexp"
	"strings"

	"odradek.dev/tools/internal/kafkadist"
)

// rule puts a placeholder where two brokers can not say the same.
type rule struct {
	pattern *regexp.Regexp
	with    string
}

func replace(pattern, with string) rule { return rule{regexp.MustCompile(pattern), with} }

// everywhere holds for every step: identities, times and addresses.
var everywhere = []rule{
	replace(`(?m)(TopicId: |[Cc]luster ?I[dD]: +|^\d+\s+)[A-Za-z0-9_-]{22}`, "${1}ID"),
	replace(`\b1[0-9]{12}\b`, "TIME"),
	replace(`127\.0\.0\.1[: ]\d+`, "HOST:PORT"),
	// A stack trace is the tool's, and says what the line before it said.
	replace(`(?m)^\s+at .*\n|^\s*\.\.\. \d+ more\n`, ""),
}

var (
	// figures are what a measurement comes to.
	// What comes in between is for those who wait.
	figures = []rule{replace(`(?m)^\d+ records sent, .* max latency\.\n`, ""), replace(`\d+(\.\d+)?( \(?\S+/sec\)?| ms)`, "N$2"), replace(`"(avg_latency_ms|target_throughput|avg_throughput)":[0-9.]+`, `"$1":N`)}
	// namesOnly keeps of a configuration what it is, not what it is set to.
	namesOnly = []rule{replace(`(?m)^  (\S+?)=.*$`, "  $1")}
	// retentionOnly and rootOnly keep one line of many.
	retentionOnly = []rule{replace(`(?m)^  ([a-qs-z]|r[a-df-z]|re[a-su-z]|retention\.b).*\n`, "")}
	rootOnly      = []rule{replace(`(?m)^  ([a-qs-zA-Z]|r[a-np-z]|ro[a-np-z]).*\n`, "")}
	// logDirs are compared partition by partition, in a line each. How a
	// producer cuts its batches, and so the size, is a matter of timing.
	logDirs = []rule{replace(`\{"partition":`, "\n$0"), replace(`"size":[1-9]\d*`, `"size":N`)}
	// metadataLog is as long as the broker's own records make it.
	metadataLog = []rule{replace(`((HighWatermark|Epoch): +)\d+`, "${1}N"), replace(`(?m)^(\d+\s+\S{22}\s+)\d+ +`, "${1}N")}
	// verifiable drops how many records came at once.
	verifiable = []rule{replace(`(?m)^.*"name":"(records_consumed|offsets_committed)".*\n`, "")}
	// memberIDs are random, but for the client's name in front of some.
	memberIDs = []rule{
		replace(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, "ID"),
		replace(`[A-Za-z0-9_-]{22}==`, "ID"),
	}
	// groupRecords come one behind another.
	groupRecords = append([]rule{replace(`\}\{"key"`, "}\n{\"key\""), replace(`"topicId":"[^"]{22}"`, `"topicId":"ID"`)}, memberIDs...)
	// dumpedRecords have what two clusters do not share: ids of members, also in a
	// UUID's form, and topics, and numbers that are made of them.
	dumpedRecords = []rule{
		replace(`"memberId":"[^"]+"`, `"memberId":"ID"`), replace(`"topicId":"[^"]{22}"`, `"topicId":"ID"`),
		replace(`"metadataHash":-?\d+`, `"metadataHash":N`), replace(`("topics":\[[^]]*\],"version":)\d+`, "${1}N"),
	}
	// choices are listed in the order of a hash.
	choices = []rule{replace(`(Valid states are:|requires one of the following scenarios:).*`, "$1 ...")}
)

// normalise returns the lines of an answer, standard output first.
func normalise(result kafkadist.Result, at side, own []rule) []string {
	text := fmt.Sprintf("exit status %d\n%s\n%s", result.Exit, result.Stdout, result.Stderr)
	text = strings.ReplaceAll(text, at.dataDir, "LOGDIR")
	for _, one := range append(append([]rule(nil), own...), everywhere...) {
		text = one.pattern.ReplaceAllString(text, one.with)
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
