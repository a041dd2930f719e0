package group

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
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
			text += fmt.Sprintf(" %s has %s", m.MemberID, assignmentText(m.Assignment))
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
	if name, exists := b.names[id]; exists {
		return name
	}
	if id == nowhere {
		return "nowhere"
	}
	return fmt.Sprintf("topic %d, which is gone", id[0])
}

func assignmentText(encoded []byte) string {
	if len(encoded) == 0 {
		return "nothing"
	}
	assignment := kmsg.NewConsumerMemberAssignment()
	if err := assignment.ReadFrom(encoded); err != nil {
		return err.Error()
	}
	var topics []string
	for _, topic := range assignment.Topics {
		topics = append(topics, fmt.Sprintf("%s%v", topic.Topic, topic.Partitions))
	}
	return strings.Join(topics, " ")
}

func code(code int16) string {
	if err := kerr.TypedErrorForCode(code); err != nil {
		return err.Message
	}
	return "ok"
}

func sortedLines(lines []string) string {
	slices.Sort(lines)
	return strings.Join(lines, "")
}
