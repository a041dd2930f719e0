package differential

import (
	_ "embed"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"odradek.dev/tools/compat/differences"
)

//go:embed differences.txt
var differencesFile string

// allowed is a field in which the answers may differ.
type allowed struct{ path, theirs, ours *regexp.Regexp }

func (a *allowed) String() string { return a.path.String() }

func (a *allowed) is(found difference) bool {
	return a.path.MatchString(found.path) && a.theirs.MatchString(found.theirs) && a.ours.MatchString(found.ours)
}

// allowances are what differences.txt allows.
type allowances struct{ differences.List[*allowed] }

func parseDifferences(text string) (allowances, error) {
	list, err := differences.Parse(text, parseAllowed)
	return allowances{list}, err
}

func parseAllowed(line string) (*allowed, error) {
	path, values, hasValues := strings.Cut(line, " = ")
	theirs, ours, hasBoth := strings.Cut(values, " / ")
	if !hasValues || !hasBoth {
		return nil, errors.New("want PATH = KAFKA / ODRADEK, each a regular expression")
	}
	one := &allowed{}
	var errs [3]error
	one.path, errs[0] = differences.Whole(path)
	one.theirs, errs[1] = differences.Whole(theirs)
	one.ours, errs[2] = differences.Whole(ours)
	return one, errors.Join(errs[:]...)
}

// difference is a field that is not the same.
type difference struct{ path, theirs, ours string }

// forbidden returns the fields that differ and may not.
func (a allowances) forbidden(name string, theirs, ours fields) []difference {
	about := a.Of(name)
	return slices.DeleteFunc(differing(theirs, ours), func(found difference) bool {
		return about.Allow(func(one *allowed) bool { return one.is(found) })
	})
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
