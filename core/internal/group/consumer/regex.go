package consumer

import (
	"regexp"
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

// compile reads an expression in the syntax of RE2, which Go's package has. It
// must match the whole of a topic's name.
func compile(regex string) (*regexp.Regexp, *refusal.Refusal) {
	if len(regex) > maxRegexLength {
		return nil, refusal.New(kerr.InvalidRegularExpression, "the regular expression has %d bytes, the most is %d", len(regex), maxRegexLength)
	}
	// By itself first: "a)(b" would become valid between parentheses.
	if _, err := regexp.Compile(regex); err != nil {
		return nil, refusal.New(kerr.InvalidRegularExpression, "the regular expression %q is not in the syntax of RE2: %v", regex, err)
	}
	whole, err := regexp.Compile(`\A(?:` + regex + `)\z`)
	if err != nil {
		return nil, refusal.New(kerr.InvalidRegularExpression, "the regular expression %q is not in the syntax of RE2: %v", regex, err)
	}
	return whole, nil
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
