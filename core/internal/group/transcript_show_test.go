package group

import (
	"fmt"
	"slices"
	"strings"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

// show writes what a step came to, a thing a line.
func (b *broker) show(out *step.Output) string {
	var text strings.Builder
	for _, r := range out.Records {
		fmt.Fprintf(&text, "%s\n", b.record(r))
	}
	for _, r := range out.Resolves {
		fmt.Fprintf(&text, "resolve %s %s\n", r.Group, strings.Join(r.Expressions, " "))
	}
	for _, a := range out.Assigns {
		fmt.Fprintf(&text, "assign %s epoch=%d by %s\n", a.Group, a.Epoch, a.Assignor)
		for _, topic := range a.Snapshot.Topics {
			if topic.Lags != nil {
				fmt.Fprintf(&text, "  lags of %s %v\n", topic.Name, topic.Lags)
			}
		}
	}
	for _, a := range out.Answers {
		fmt.Fprintf(&text, "#%d: %s\n", a.To, b.answer(a.Response))
	}
	for _, note := range out.Notes {
		fmt.Fprintf(&text, "note: %s\n", note)
	}
	return text.String()
}

func (b *broker) record(r grouplog.Record) string {
	what := r.Key.GroupID() + " "
	switch k := r.Key.(type) {
	case grouplog.OffsetKey:
		what += fmt.Sprintf("offset %s-%d", k.Topic, k.Partition)
	case grouplog.ClassicGroupKey:
		what += "classic group"
	case grouplog.ConsumerGroupKey:
		what += "group"
	case grouplog.MemberKey:
		what += "member " + k.Member
	case grouplog.TargetKey:
		what += "target"
	case grouplog.TargetMemberKey:
		what += "target " + k.Member
	case grouplog.CurrentKey:
		what += "current " + k.Member
	case grouplog.RegexKey:
		what += "regex " + k.Regex
	case grouplog.PartitionMetadataKey:
		what += "partition metadata"
	}
	return what + b.value(r.Value)
}

func (b *broker) value(value grouplog.Value) string {
	switch v := value.(type) {
	case *grouplog.Offset:
		text := fmt.Sprintf(" = %d", v.Offset)
		if v.LeaderEpoch >= 0 {
			text += fmt.Sprintf(" leader epoch %d", v.LeaderEpoch)
		}
		if v.Metadata != "" {
			text += fmt.Sprintf(" %q", v.Metadata)
		}
		if v.ExpireTimestamp >= 0 {
			text += fmt.Sprintf(" until %d", v.ExpireTimestamp)
		}
		return text
	case *grouplog.ClassicGroup:
		text := fmt.Sprintf(" generation=%d", v.Generation)
		for _, m := range v.Members {
			text += fmt.Sprintf(" %s has %s", m.MemberID, grouptest.AssignmentText(m.Assignment))
		}
		return text
	case *grouplog.ConsumerGroup:
		return fmt.Sprintf(" epoch=%d", v.Epoch)
	case *grouplog.Target:
		return fmt.Sprintf(" epoch=%d", v.Epoch)
	case *grouplog.TargetMember:
		return b.places(v.Partitions)
	case *grouplog.Current:
		text := fmt.Sprintf(" epoch=%d %s", v.Epoch, []string{"stable", "unrevoked", "unreleased"}[v.State])
		for _, p := range v.Assigned {
			text += b.places([]grouplog.TopicPartitions{p.TopicPartitions})
		}
		return text
	case *grouplog.Regex:
		return " = " + strings.Join(v.Topics, ",")
	case *grouplog.Member:
		return fmt.Sprintf(" topics=%s classic=%v", strings.Join(v.Topics, ","), v.Classic != nil)
	case nil:
		return " gone"
	}
	return fmt.Sprintf(" %T", value)
}

func (b *broker) places(places []grouplog.TopicPartitions) string {
	text := ""
	for _, p := range places {
		text += fmt.Sprintf(" %s%v", b.topic(p.TopicID), p.Partitions)
	}
	return text
}

func (b *broker) topic(id [16]byte) string {
	if name, exists := b.Names[id]; exists {
		return name
	}
	if id == nowhere {
		return "nowhere"
	}
	return fmt.Sprintf("topic %d, which is gone", id[0])
}

func sortedLines(lines []string) string {
	slices.Sort(lines)
	return strings.Join(lines, "")
}
