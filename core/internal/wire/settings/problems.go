package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a configuration.
type Problem struct {
	Origin Origin
	// Message begins with the key, says what is wrong, and ends with the
	// nearest valid name if there is one.
	Message string
}

// Problems is everything that is wrong with a configuration, as one error of
// one line each, which begins with where that was written if it was.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.Message
		if problem.Origin.Layer != fromDefault {
			lines[i] = problem.Origin.String() + ": " + problem.Message
		}
	}
	return strings.Join(lines, "\n")
}

// err is nil without problems; the problems are put in the order of where they
// are, so that a file's stand together from top to bottom.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Origin.Layer, b.Origin.Layer), cmp.Compare(a.Origin.Line, b.Origin.Line))
	})
	return p
}

func (p *Problems) add(at Origin, format string, args ...any) {
	*p = append(*p, Problem{Origin: at, Message: fmt.Sprintf(format, args...)})
}
