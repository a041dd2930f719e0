package kafkatools

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"odradek.dev/tools/compat/differences"
)

//go:embed differences.txt
var differencesFile string

// printed is a kind of line that only one of the brokers prints.
type printed struct {
	kafka bool
	line  *regexp.Regexp
}

func (p printed) String() string { return p.line.String() }

// allowances are what differences.txt allows.
type allowances struct{ differences.List[printed] }

func parseDifferences(text string) (allowances, error) {
	list, err := differences.Parse(text, parsePrinted)
	return allowances{list}, err
}

func parsePrinted(line string) (printed, error) {
	who, pattern, _ := strings.Cut(line, " ")
	if who != "kafka" && who != "odradek" {
		return printed{}, errors.New("want kafka or odradek, then a regular expression")
	}
	whole, err := differences.Whole(pattern)
	return printed{kafka: who == "kafka", line: whole}, err
}

// compare returns an error with the lines that differ and may not. The order of
// lines counts.
func (a allowances) compare(step string, theirs, ours []string) error {
	onlyTheirs, onlyOurs := without(theirs, ours), without(ours, theirs)
	badTheirs, badOurs := a.forbidden(step, true, onlyTheirs), a.forbidden(step, false, onlyOurs)
	if len(badTheirs)+len(badOurs) > 0 {
		return fmt.Errorf("the answers differ:%s%s", show("kafka", badTheirs), show("odradek", badOurs))
	}
	sharedTheirs, sharedOurs := without(theirs, onlyTheirs), without(ours, onlyOurs)
	if !slices.Equal(sharedTheirs, sharedOurs) {
		return fmt.Errorf("the same lines in another order:%s%s", show("kafka", sharedTheirs), show("odradek", sharedOurs))
	}
	return nil
}

func (a allowances) forbidden(step string, kafka bool, lines []string) []string {
	about := a.Of(step)
	var forbidden []string
	for _, line := range lines {
		if !about.Allow(func(one printed) bool { return one.kafka == kafka && one.line.MatchString(strings.TrimSpace(line)) }) {
			forbidden = append(forbidden, line)
		}
	}
	return forbidden
}

// without returns lines less each of remove, as often as it is there.
func without(lines, remove []string) []string {
	count := map[string]int{}
	for _, line := range remove {
		count[line]++
	}
	var rest []string
	for _, line := range lines {
		if count[line] > 0 {
			count[line]--
			continue
		}
		rest = append(rest, line)
	}
	return rest
}

func show(who string, lines []string) string {
	var out strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&out, "\n     %-7s %s", who, line)
	}
	return out.String()
}
