package kafkatools

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed differences.txt
var differencesFile string

// difference allows lines that only one of the brokers prints.
type difference struct {
	kafka       bool
	steps, line *regexp.Regexp
	// ran is set by the first of the steps that runs, seen by the first line.
	ran, seen bool
	number    int
}

type differences []*difference

// parseDifferences reads the format that differences.txt describes.
func parseDifferences(text string) (differences, error) {
	var all differences
	var among *regexp.Regexp
	reason := false
	for index, line := range strings.Split(text, "\n") {
		number := index + 1
		var err error
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "##"):
		case strings.HasPrefix(line, "["):
			among, err = whole(strings.Trim(line, "[]"))
			reason = false
		case strings.HasPrefix(line, "# "):
			reason = true
		default:
			who, pattern, _ := strings.Cut(line, " ")
			if among == nil || !reason || who != "kafka" && who != "odradek" {
				return nil, fmt.Errorf("differences.txt:%d: want [steps], then # and the reason, then kafka or odradek and a regular expression", number)
			}
			one := &difference{steps: among, kafka: who == "kafka", number: number}
			one.line, err = whole(strings.TrimSpace(pattern))
			all = append(all, one)
		}
		if err != nil {
			return nil, fmt.Errorf("differences.txt:%d: %w", number, err)
		}
	}
	return all, nil
}

func whole(pattern string) (*regexp.Regexp, error) { return regexp.Compile("^(?:" + pattern + ")$") }

// compare returns an error with the lines that differ and may not. The order of
// lines counts.
func (d differences) compare(step string, theirs, ours []string) error {
	onlyTheirs, onlyOurs := without(theirs, ours), without(ours, theirs)
	badTheirs, badOurs := d.forbidden(step, true, onlyTheirs), d.forbidden(step, false, onlyOurs)
	if len(badTheirs)+len(badOurs) > 0 {
		return fmt.Errorf("the answers differ:%s%s", show("kafka", badTheirs), show("odradek", badOurs))
	}
	sharedTheirs, sharedOurs := without(theirs, onlyTheirs), without(ours, onlyOurs)
	if !slices.Equal(sharedTheirs, sharedOurs) {
		return fmt.Errorf("the same lines in another order:%s%s", show("kafka", sharedTheirs), show("odradek", sharedOurs))
	}
	return nil
}

func (d differences) forbidden(step string, kafka bool, lines []string) []string {
	var mine differences
	for _, one := range d {
		if one.kafka == kafka && one.steps.MatchString(step) {
			one.ran = true
			mine = append(mine, one)
		}
	}
	var forbidden []string
	for _, line := range lines {
		allowed := false
		for _, one := range mine {
			if one.line.MatchString(strings.TrimSpace(line)) {
				one.seen, allowed = true, true
			}
		}
		if !allowed {
			forbidden = append(forbidden, line)
		}
	}
	return forbidden
}

// unseen is the error of what is listed and does not happen any more.
func (d differences) unseen() error {
	var all []error
	for _, one := range d {
		if one.ran && !one.seen {
			all = append(all, fmt.Errorf("differences.txt:%d: take it out: %v does not happen any more", one.number, one.line))
		}
	}
	return errors.Join(all...)
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
