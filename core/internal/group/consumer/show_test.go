package consumer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/assignor"
)

// show writes what a step came to, a thing a line.
func (w *world) show(out *step.Output) string {
	var b strings.Builder
	for _, r := range out.Records {
		fmt.Fprintf(&b, "%s\n", w.record(r))
	}
	for _, r := range out.Resolves {
		fmt.Fprintf(&b, "resolve %s at version %d\n", strings.Join(r.Expressions, " "), r.Version)
	}
	for _, a := range out.Assigns {
		fmt.Fprintf(&b, "assign epoch=%d by %s\n", a.Epoch, a.Assignor)
		for _, m := range a.Snapshot.Members {
			fmt.Fprintf(&b, "  %s\n", snapshotMember(m))
		}
	}
	for _, a := range out.Answers {
		fmt.Fprintf(&b, "#%d: %s\n", a.To, w.answer(a.Response))
	}
	for _, note := range out.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}

func snapshotMember(m assignor.Member) string {
	text := fmt.Sprintf("%s topics=%s", m.ID, strings.Join(m.Topics, ","))
	if m.InstanceID != "" {
		text += " instance=" + m.InstanceID
	}
	if m.Rack != "" {
		text += " rack=" + m.Rack
	}
	if m.UserData != nil {
		text += fmt.Sprintf(" data=%q", m.UserData)
	}
	if m.Generation >= 0 {
		text += fmt.Sprintf(" owned=%v generation=%d", m.Owned, m.Generation)
	}
	return text
}

func (w *world) record(r grouplog.Record) string {
	what := ""
	switch k := r.Key.(type) {
	case grouplog.ConsumerGroupKey:
		what = "group"
	case grouplog.MemberKey:
		what = "member " + k.Member
	case grouplog.TargetKey:
		what = "target"
	case grouplog.TargetMemberKey:
		what = "target " + k.Member
	case grouplog.CurrentKey:
		what = "current " + k.Member
	case grouplog.RegexKey:
		what = "regex " + k.Regex
	case grouplog.PartitionMetadataKey:
		what = "partition metadata"
	}
	return what + w.value(r.Value)
}

func (w *world) value(value grouplog.Value) string {
	switch v := value.(type) {
	case *grouplog.ConsumerGroup:
		return fmt.Sprintf(" epoch=%d", v.Epoch)
	case *grouplog.Member:
		return memberText(v)
	case *grouplog.Target:
		return fmt.Sprintf(" epoch=%d at %d", v.Epoch, v.Timestamp)
	case *grouplog.TargetMember:
		return " " + w.places(placesOf(v.Partitions))
	case *grouplog.Current:
		c := currentOf(v)
		state := []string{"stable", "unrevoked", "unreleased"}[c.state]
		text := fmt.Sprintf(" epoch=%d previous=%d %s %s", c.epoch, c.previous, state, w.holding(c.assigned))
		if len(c.revoking) > 0 {
			text += " revoking " + w.holding(c.revoking)
		}
		return text
	case *grouplog.Regex:
		return fmt.Sprintf(" = %s at %d", strings.Join(v.Topics, ","), v.Timestamp)
	}
	return " gone"
}

func memberText(v *grouplog.Member) string {
	text := fmt.Sprintf(" topics=%s", strings.Join(v.Topics, ","))
	switch {
	case v.Regex == nil:
		text += " regex=null" // as no broker writes it
	case *v.Regex != "":
		text += " regex=" + *v.Regex
	}
	for _, field := range []struct {
		name  string
		value *string
	}{{"instance", v.InstanceID}, {"rack", v.RackID}, {"assignor", v.ServerAssignor}} {
		if field.value != nil {
			text += fmt.Sprintf(" %s=%s", field.name, *field.value)
		}
	}
	if v.Classic != nil {
		text += " classic=" + strings.Join(protocolNames(v.Classic.Protocols), ",")
	}
	return text
}

func (w *world) places(places []place) string {
	var topics []string
	for _, topic := range byTopic(places) {
		topics = append(topics, fmt.Sprintf("%s%v", w.name(topic.TopicID), topic.Partitions))
	}
	if len(topics) == 0 {
		return "nothing"
	}
	return strings.Join(topics, " ")
}

// holding shows the epochs where they are not all one.
func (w *world) holding(holding []held) string {
	text := w.places(placesHeld(holding))
	if len(holding) == 0 {
		return text
	}
	var epochs []int32
	for _, h := range holding {
		epochs = append(epochs, h.epoch)
	}
	return fmt.Sprintf("%s since %v", text, slices.Compact(epochs))
}

func (w *world) name(id [16]byte) string {
	if name, exists := w.Names[id]; exists {
		return name
	}
	return fmt.Sprintf("topic %d, which is gone", id[0])
}

func (w *world) answer(response kmsg.Response) string {
	if text, classic := grouptest.ClassicAnswer(response); classic {
		return text
	}
	r, is := response.(*kmsg.ConsumerGroupHeartbeatResponse)
	if !is {
		return fmt.Sprintf("%T", response)
	}
	if r.ErrorCode != 0 {
		return fmt.Sprintf("%s: %s", grouptest.Code(r.ErrorCode), *r.ErrorMessage)
	}
	text := fmt.Sprintf("member=%s epoch=%d", *r.MemberID, r.MemberEpoch)
	if r.Assignment != nil {
		text += " has " + w.told(r.Assignment)
	}
	return text
}

func (w *world) told(assignment *kmsg.ConsumerGroupHeartbeatResponseAssignment) string {
	var places []place
	for _, topic := range assignment.Topics {
		for _, partition := range topic.Partitions {
			places = append(places, place{topic.TopicID, partition})
		}
	}
	return w.places(places)
}
