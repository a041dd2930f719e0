package grouptest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cockroachdb/datadriven"
)

// Args are those of a command, by name. A command that is written wrong is a
// panic.
type Args map[string]string

// ArgsOf reads the arguments of a command.
func ArgsOf(d *datadriven.TestData) Args {
	a := Args{}
	for _, arg := range d.CmdArgs {
		a[arg.Key] = strings.Join(arg.Vals, ",")
	}
	return a
}

// Has reports whether the command says anything of key.
func (a Args) Has(key string) bool { _, has := a[key]; return has }

// Text is nil if the command does not say; empty is the empty one.
func (a Args) Text(key string) *string {
	value, has := a[key]
	if !has {
		return nil
	}
	if value == "empty" {
		value = ""
	}
	return &value
}

// List reads a,b: nil if the command does not say, and without elements for none.
func (a Args) List(key string) []string {
	switch a[key] {
	case "":
		return nil
	case "none":
		return []string{}
	}
	return strings.Split(a[key], ",")
}

// ListOr is otherwise if the command does not say.
func (a Args) ListOr(key string, otherwise ...string) []string {
	if !a.Has(key) {
		return otherwise
	}
	return a.List(key)
}

// Number is 0 if the command does not say.
func (a Args) Number(key string) int32 {
	if !a.Has(key) {
		return 0
	}
	return number(a[key])
}

// Take has the number of a command in the place of what is there, if the
// command has one.
func Take[N int16 | int32 | int64](a Args, key string, to *N) {
	if a.Has(key) {
		*to = N(a.Number(key))
	}
}

// Numbers reads NAME:0:1.
func Numbers(word string) (name string, numbers []int32) {
	name, rest, some := strings.Cut(word, ":")
	if !some {
		return name, nil
	}
	for digits := range strings.SplitSeq(rest, ":") {
		numbers = append(numbers, number(digits))
	}
	return name, numbers
}

func number(digits string) int32 {
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		panic(fmt.Sprintf("%q is no number", digits))
	}
	return int32(n)
}
