package consumer

import (
	"fmt"
	"slices"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
)

// regexBatchMillis is how long new topics wait for each other before regular
// expressions are resolved again: topics often come by the dozen.
const regexBatchMillis = 10_000

// resolving is a question about regular expressions that nobody answered yet. A
// group asks one at a time.
type resolving struct {
	expressions []string
	version     int64
	// at is when it was asked, and whole whether about all expressions.
	at    int64
	whole bool
	// outdated is set when topics changed since.
	outdated bool
}

// isUnresolved reports whether a member subscribes to a regular expression of
// which is not known what it comes to.
func (g *Group) isUnresolved(m *member) bool {
	regex := m.regex()
	return regex != "" && g.regexes[regex] == nil
}

// resolve is called with each heartbeat: all expressions are resolved once in a
// while, and that of the member, if it never was, at once.
func (g *Group) resolve(now int64, m *member, out *step.Output) {
	switch {
	case g.resolving != nil || len(g.counts.regexes) == 0:
	case now-g.regexesAt >= g.settings().RegexRefreshIntervalMs:
		g.ask(now, true, out)
	case g.isUnresolved(m):
		g.ask(now, false, out)
	}
}

// resolveAgain is called when topics have changed.
func (g *Group) resolveAgain(now int64, out *step.Output) {
	next := g.regexesAt + regexBatchMillis
	switch {
	case len(g.counts.regexes) == 0:
	case g.resolving != nil:
		g.resolving.outdated = true
	case now < next:
		g.refreshAt = next
		g.ask(now, false, out)
	default:
		g.ask(now, true, out)
	}
}

// ask asks about all expressions of the group, or about those that were never
// resolved.
func (g *Group) ask(now int64, whole bool, out *step.Output) {
	if now < g.resolveAt {
		g.refreshAt = min(g.refreshAt, g.resolveAt)
		return
	}
	expressions := sortedKeys(g.counts.regexes)
	if !whole {
		expressions = slices.DeleteFunc(expressions, func(regex string) bool { return g.regexes[regex] != nil })
	}
	if len(expressions) == 0 {
		return
	}
	whole = whole || len(expressions) == len(g.counts.regexes)
	g.resolving = &resolving{expressions: expressions, version: g.world.MetadataVersion(), at: now, whole: whole}
	out.Resolves = append(out.Resolves, step.Resolve{Group: g.id, Expressions: expressions, Version: g.resolving.version})
}

// Resolved is the answer to a [step.Resolve]. One that was not asked for now is
// passed over. An error leaves the members with the topics that are known; it is
// asked again after a while.
func (g *Group) Resolved(now int64, r step.Resolved, out *step.Output) {
	asked := g.resolving
	if asked == nil || asked.version != r.Version || !slices.Equal(asked.expressions, r.Expressions) {
		return
	}
	g.resolving = nil
	if r.Err == nil && len(r.Topics) != len(r.Expressions) {
		r.Err = fmt.Errorf("the answer is for %d expressions and not for %d", len(r.Topics), len(r.Expressions))
	}
	if r.Err != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("group %s: its regular expressions could not be resolved, so the members keep the topics that they have: %v", g.id, r.Err))
		g.resolveAt = now + retryMillis
		g.refreshAt = min(g.refreshAt, g.resolveAt)
		g.answerIf(now, func(w waiter) bool { return w.unresolved }, out)
		return
	}
	g.take(asked, r.Topics, out)
	if asked.whole {
		g.regexesAt = asked.at
	}
	if asked.outdated {
		g.refreshAt = min(g.refreshAt, max(now, g.regexesAt+regexBatchMillis))
	}
	g.ask(now, false, out) // who came meanwhile
	g.assign(now, out)
	g.goOn(now, out)
}

// take makes the records of what expressions come to, and raises the group epoch
// if that are other topics than before.
func (g *Group) take(asked *resolving, topics [][]string, out *step.Output) {
	changed := false
	for i, regex := range asked.expressions {
		if g.counts.regexes[regex] == 0 {
			continue // nobody subscribes to it any more
		}
		var before []string
		if known := g.regexes[regex]; known != nil {
			if before = known.Topics; slices.Equal(before, topics[i]) {
				continue
			}
		}
		g.emit(out, grouplog.RegexKey{Group: g.id, Regex: regex}, &grouplog.Regex{Topics: topics[i], Version: asked.version, Timestamp: asked.at})
		changed = changed || !slices.Equal(g.existing(before), g.existing(topics[i]))
	}
	if changed || g.hashTopics() != g.metadataHash {
		out.Notes = append(out.Notes, "group "+g.id+": the topics that its regular expressions come to have changed")
		g.bump(out)
	}
}

// existing are those of some topics that exist: the group was assigned anew
// already when another one went.
func (g *Group) existing(topics []string) []string {
	return slices.DeleteFunc(slices.Clone(topics), func(name string) bool {
		_, exists := g.world.Topic(name)
		return !exists
	})
}
