package kafkatools

import (
	"regexp"
	"slices"
	"strings"
)

// dumped matches a record as DumpLogSegments prints it.
var dumped = regexp.MustCompile(`(?m)^\| offset: .*? (key: (.*?)( payload: .*)?)$`)

// compacted leaves of a dump the last record of each key, without where it is in
// the log: how many there were before is a matter of timing.
func compacted(dump string) string {
	found := dumped.FindAllStringSubmatch(dump, -1)
	seen := map[string]bool{}
	var lines []string
	for _, record := range slices.Backward(found) {
		if key := record[2]; !seen[key] {
			seen[key] = true
			lines = append(lines, record[1])
		}
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}
