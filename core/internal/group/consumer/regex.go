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

// regexBatchMillis is how long new topics wait for each other before regular
// expressions are resolved again.
const regexBatchMillis = 10_000

// maxRegexLength bounds what a client can have compiled.
const maxRegexLength = 8 << 10

// maxRegexSize bounds what an expression comes to when its repetitions are
// written out. To match one name takes time in proportion to that, and each of
// the broker's topics is matched while the groups of a partition wait.
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

// matches reports whether an expression came to a topic.
func (g *Group) matches(regex, topic string) bool {
	resolved := g.regexes[regex]
	if resolved == nil {
		return false
	}
	_, found := slices.BinarySearch(resolved.Topics, topic)
	return found
}

// resolve makes the record of what an expression comes to now, if that is
// news, and reports whether the group subscribes to other topics with it.
func (g *Group) resolve(now int64, regex string, out *step.Output) (changed bool) {
	topics := []string{}
	// An expression from the log of a broker with another syntax may not
	// compile: it matches nothing.
	if compiled, refused := compile(regex); refused == nil {
		for _, name := range g.world.TopicNames() {
			if compiled.MatchString(name) {
				topics = append(topics, name)
			}
		}
	}
	before := g.regexes[regex]
	if before != nil && slices.Equal(before.Topics, topics) {
		return false
	}
	g.emit(out, grouplog.RegexKey{Group: g.id, Regex: regex}, &grouplog.Regex{Topics: topics, Version: g.world.MetadataVersion(), Timestamp: now})
	return before != nil || len(topics) > 0
}

// resolveAll resolves the expressions that members subscribe to.
func (g *Group) resolveAll(now int64, out *step.Output) (changed bool) {
	g.regexesAt = now
	for _, regex := range sortedKeys(g.counts.regexes) {
		if g.resolve(now, regex, out) {
			changed = true
		}
	}
	return changed
}

// dropRegex forgets an expression once nobody subscribes to it.
func (g *Group) dropRegex(regex string, out *step.Output) {
	if regex != "" && g.regexes[regex] != nil && g.counts.regexes[regex] == 0 {
		g.drop(out, grouplog.RegexKey{Group: g.id, Regex: regex})
	}
}
