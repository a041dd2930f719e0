// Package differences reads what two brokers may answer differently: a
// differences.txt, which says a reason of everything in it, and keeps nothing
// that does not happen any more.
package differences

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// List is a differences.txt. A line that begins with ## is a comment. A section
// begins with a regular expression in brackets of what it is about; then comes
// the reason, after "# ", and then a line for each T. Not for concurrent use.
type List[T fmt.Stringer] []*Difference[T]

// Difference is one line of a list.
type Difference[T fmt.Stringer] struct {
	// About is what its section is about, and Line the number of the line.
	About *regexp.Regexp
	Line  int
	what  T
	// ran is set by the first answer that it is about, seen by the first
	// difference.
	ran, seen bool
}

// Parse reads a list, and each of its lines by parse.
func Parse[T fmt.Stringer](text string, parse func(line string) (T, error)) (List[T], error) {
	var all List[T]
	var about *regexp.Regexp
	reason := false
	for index, line := range strings.Split(text, "\n") {
		var err error
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "##"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			about, err = Whole(line[1 : len(line)-1])
			reason = false
		case strings.HasPrefix(line, "# "):
			reason = true
		case about == nil || !reason:
			err = errors.New("want a regular expression in brackets, then # and the reason, before it")
		default:
			one := &Difference[T]{About: about, Line: index + 1}
			one.what, err = parse(line)
			all = append(all, one)
		}
		if err != nil {
			return nil, fmt.Errorf("differences.txt:%d: %w", index+1, err)
		}
	}
	return all, nil
}

// Whole compiles a regular expression that matches from end to end.
func Whole(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile("^(?s:" + strings.TrimSpace(pattern) + ")$")
}

// Of returns what the list has about an answer that was compared.
func (l List[T]) Of(name string) List[T] {
	var about List[T]
	for _, one := range l {
		if one.About.MatchString(name) {
			one.ran = true
			about = append(about, one)
		}
	}
	return about
}

// Allow reports whether any of the list is a difference that was found.
func (l List[T]) Allow(is func(T) bool) bool {
	allow := false
	for _, one := range l {
		if is(one.what) {
			one.seen, allow = true, true
		}
	}
	return allow
}

// Unseen is the error of what is listed and does not happen any more.
func (l List[T]) Unseen() error {
	var all []error
	for _, one := range l {
		if one.ran && !one.seen {
			all = append(all, fmt.Errorf("differences.txt:%d: take it out: %v does not happen any more", one.Line, one.what))
		}
	}
	return errors.Join(all...)
}
