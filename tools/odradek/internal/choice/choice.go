// Package choice is flags that take one, or several, of a few names. A wrong
// one is refused while the command line is read.
package choice

import (
	"fmt"
	"strings"
)

// One is the value of a flag that takes one of a few names. It is a
// pflag.Value.
type One struct {
	names []string
	// Chosen is as the list of names has it.
	Chosen string
}

// NewOne makes a flag of the names, the first of which is the default.
func NewOne(names ...string) One { return One{names: names, Chosen: names[0]} }

// Set takes the value of the flag, in upper or lower case.
func (o *One) Set(value string) (err error) {
	o.Chosen, err = find(o.names, value)
	return err
}

func (o *One) String() string { return o.Chosen }

// Type is the placeholder in the help text.
func (o *One) Type() string { return strings.Join(o.names, "|") }

// Several is the value of a flag that takes some of a few names, separated by
// commas, and may be repeated. It is a pflag.Value.
type Several struct {
	names []string
	// Chosen are as the list of names has them, in the order of the flags.
	Chosen []string
}

// NewSeveral makes a flag of the names, none of which is the default.
func NewSeveral(names ...string) Several { return Several{names: names} }

// Set adds what one flag has, in upper or lower case.
func (s *Several) Set(value string) error {
	for part := range strings.SplitSeq(value, ",") {
		name, err := find(s.names, strings.TrimSpace(part))
		if err != nil {
			return err
		}
		s.Chosen = append(s.Chosen, name)
	}
	return nil
}

func (s *Several) String() string { return strings.Join(s.Chosen, ",") }

// Type is the placeholder in the help text.
func (s *Several) Type() string { return "names" }

// Names are all that may be chosen, for the help text.
func (s *Several) Names() string { return strings.Join(s.names, ", ") }

func find(names []string, value string) (string, error) {
	for _, name := range names {
		if strings.EqualFold(name, value) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%q is none of %s", value, strings.Join(names, ", "))
}
