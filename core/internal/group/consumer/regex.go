package consumer

import (
	"regexp"
	"regexp/syntax"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// maxRegexLength bounds what a client can have compiled.
const maxRegexLength = 8 << 10

// maxRegexSize bounds what an expression comes to when its repetitions are
// written out. To compile it takes memory in proportion to that, and to match
// one name with it time.
const maxRegexSize = 4 << 10

// compile reads an expression in the syntax of RE2, which Go's package has. It
// must match the whole of a topic's name.
func compile(regex string) (*regexp.Regexp, *refusal.Refusal) {
	if len(regex) > maxRegexLength {
		return nil, refusal.New(kerr.InvalidRegularExpression, "the regular expression has %d bytes, the most is %d", len(regex), maxRegexLength)
	}
	// By itself first: "a)(b" would become valid between parentheses.
	parsed, err := syntax.Parse(regex, syntax.Perl)
	if err != nil {
		return nil, refusal.New(kerr.InvalidRegularExpression, "the regular expression %q is not in the syntax of RE2: %v", regex, err)
	}
	if size := regexSize(parsed); size > maxRegexSize {
		return nil, refusal.New(kerr.InvalidRegularExpression,
			"the regular expression has %d parts once its repetitions are written out, the most is %d: repeat less, or use * or +", size, maxRegexSize)
	}
	whole, err := regexp.Compile(`\A(?:` + regex + `)\z`)
	if err != nil {
		return nil, refusal.New(kerr.InvalidRegularExpression, "the regular expression %q is not in the syntax of RE2: %v", regex, err)
	}
	return whole, nil
}

// regexSize counts the characters, classes and operators of an expression, a
// part that is repeated as often as it is. Nothing is compiled for it, as that
// alone would cost what the limit is against.
func regexSize(e *syntax.Regexp) int {
	size := 1
	for _, sub := range e.Sub {
		size += regexSize(sub)
	}
	switch e.Op {
	case syntax.OpLiteral:
		return len(e.Rune)
	case syntax.OpRepeat:
		return size * max(e.Min, e.Max, 1)
	}
	return size
}

// Match finds for each expression the names that it matches as a whole, in the
// order of names. It is called beside the machine, as it can take as long as
// there are names; turn is called before each of them, and its error ends it.
// An expression from the log of a broker with another syntax may not compile: it
// matches nothing.
func Match(expressions, names []string, turn func() error) ([][]string, error) {
	compiled, matched := make([]*regexp.Regexp, len(expressions)), make([][]string, len(expressions))
	for i, regex := range expressions {
		compiled[i], _ = compile(regex)
	}
	for _, name := range names {
		if err := turn(); err != nil {
			return nil, err
		}
		for i, regex := range compiled {
			if regex != nil && regex.MatchString(name) {
				matched[i] = append(matched[i], name)
			}
		}
	}
	return matched, nil
}

// matches reports whether an expression came to a topic.
func (g *Group) matches(regex, topic string) bool {
	resolved := g.regexes[regex]
	if resolved == nil {
		return false
	}
	_, found := slices.BinarySearch(resolved.Topics, topic)
	return found
}

// dropRegex forgets an expression once nobody subscribes to it.
func (g *Group) dropRegex(regex string, out *step.Output) {
	if regex != "" && g.regexes[regex] != nil && g.counts.regexes[regex] == 0 {
		g.drop(out, grouplog.RegexKey{Group: g.id, Regex: regex})
	}
}
