package differential

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

//go:embed differences.txt
var differencesFile string

// allowed is a field in which the answers may differ.
type allowed struct {
	requests, path, theirs, ours *regexp.Regexp
	// ran is set by the first request that it is about, seen by the first
	// difference.
	ran, seen bool
	line      int
}

type differences []*allowed

// parseDifferences reads the format that differences.txt describes.
func parseDifferences(text string) (differences, error) {
	var all differences
	var about *regexp.Regexp
	reason := false
	for index, line := range strings.Split(text, "\n") {
		var err error
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "##"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			about, err = whole(line[1 : len(line)-1])
			reason = false
		case strings.HasPrefix(line, "# "):
			reason = true
		default:
			var one *allowed
			if one, err = parseAllowed(line); err == nil && (about == nil || !reason) {
				err = errors.New("want [requests], then # and the reason, before it")
			}
			if err == nil {
				one.requests, one.line = about, index+1
				all = append(all, one)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("differences.txt:%d: %w", index+1, err)
		}
	}
	return all, nil
}

func parseAllowed(line string) (*allowed, error) {
	path, values, hasValues := strings.Cut(line, " = ")
	theirs, ours, hasBoth := strings.Cut(values, " / ")
	if !hasValues || !hasBoth {
		return nil, errors.New("want PATH = KAFKA / ODRADEK, each a regular expression")
	}
	one := &allowed{}
	var errs [3]error
	one.path, errs[0] = whole(path)
	one.theirs, errs[1] = whole(theirs)
	one.ours, errs[2] = whole(ours)
	return one, errors.Join(errs[:]...)
}

func whole(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile("^(?s:" + strings.TrimSpace(pattern) + ")$")
}

// difference is a field that is not the same.
type difference struct{ path, theirs, ours string }

// forbidden returns the fields that differ and may not.
func (d differences) forbidden(name string, theirs, ours fields) []difference {
	var about differences
	for _, one := range d {
		if one.requests.MatchString(name) {
			one.ran = true
			about = append(about, one)
		}
	}
	var found []difference
	for _, one := range differing(theirs, ours) {
		if !about.allow(one) {
			found = append(found, one)
		}
	}
	return found
}

func (d differences) allow(found difference) bool {
	allow := false
	for _, one := range d {
		if one.path.MatchString(found.path) && one.theirs.MatchString(found.theirs) && one.ours.MatchString(found.ours) {
			one.seen, allow = true, true
		}
	}
	return allow
}

// differing returns what differs, by path. Where a whole answer or an element
// is missing, its fields are not listed too, and the order of lists counts only
// where both have the same elements.
func differing(theirs, ours fields) []difference {
	if theirs[connectionField] != ours[connectionField] {
		return []difference{{connectionField, theirs[connectionField], ours[connectionField]}}
	}
	var found []difference
	missing := ""
	for _, path := range paths(theirs, ours) {
		left, inTheirs := theirs[path]
		right, inOurs := ours[path]
		switch {
		case left == right && inTheirs == inOurs, missing != "" && strings.HasPrefix(path, missing):
			continue
		case strings.HasSuffix(path, order) && !sameElements(left, right):
			continue
		case !inTheirs:
			left = none
		case !inOurs:
			right = none
		}
		if left == there || right == there {
			missing = path
		}
		found = append(found, difference{path, left, right})
	}
	return found
}

// paths are those of both, sorted so that an element comes before its fields.
func paths(theirs, ours fields) []string {
	all := maps.Clone(theirs)
	maps.Copy(all, ours)
	return slices.Sorted(maps.Keys(all))
}

func sameElements(left, right string) bool {
	return slices.Equal(slices.Sorted(strings.SplitSeq(left, "|")), slices.Sorted(strings.SplitSeq(right, "|")))
}

// unseen is the error of what is listed and does not happen any more.
func (d differences) unseen() error {
	var all []error
	for _, one := range d {
		if one.ran && !one.seen {
			all = append(all, fmt.Errorf("differences.txt:%d: take it out: %v does not differ like that any more", one.line, one.path))
		}
	}
	return errors.Join(all...)
}
