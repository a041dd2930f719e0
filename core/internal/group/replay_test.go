package group

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/grouptest"
)

// replay makes a machine from records as they are in the log. It has yet to be
// told that it is loaded.
func replay(t *testing.T, b *broker, log []grouplog.Record) *Machine {
	m := New(b)
	for _, r := range log {
		_, key, value := grouplog.Encode(nil, r)
		decoded, err := grouplog.Decode(key, value)
		require.NoError(t, err)
		m.Apply(decoded)
	}
	return m
}

// compacted keeps the last record of each key, in the order of the log; and
// those alone that are no tombstones, if these are collected too.
func compacted(log []grouplog.Record, collected bool) []grouplog.Record {
	var kept []grouplog.Record
	seen := map[grouplog.Key]bool{}
	for _, r := range slices.Backward(log) {
		if !seen[r.Key] && (r.Value != nil || !collected) {
			kept = append(kept, r)
		}
		seen[r.Key] = true
	}
	slices.Reverse(kept)
	return kept
}

// requireSame holds a machine that was built from the log to the one that wrote
// it. A classic group between two generations is not compared: its members are
// not in the log.
func requireSame(t *testing.T, wrote, read *Machine) {
	want, got := wrote.durable(), read.durable()
	for id, text := range want {
		if text == "" {
			delete(want, id)
			delete(got, id)
		}
	}
	require.Equal(t, want, got)
}

// durable is what each group has by its records.
func (m *Machine) durable() map[string]string {
	all := map[string]string{}
	for id, e := range m.groups {
		e.choose(m.world)
		offsets := fmt.Sprint(m.offsets.Of(id)) // in order of the keys
		if e.isOver() && !m.offsets.Has(id) {
			continue
		}
		if e.consumer != nil {
			all[id] = fmt.Sprintf("%s %s", offsets, consumerText(e.consumer.Describe()))
			continue
		}
		switch e.classic.State() {
		case classic.Stable, classic.Empty:
		default:
			all[id] = ""
			continue
		}
		if e.classic.ProtocolType() == "" && !m.offsets.Has(id) {
			continue // somebody was given an id to join with
		}
		since, _ := e.classic.EmptySince()
		text := fmt.Sprintf("%s %s %d %s %s %d", offsets, e.classic.State(), e.classic.Generation(), e.classic.ProtocolType(), e.classic.Protocol(), since)
		for _, member := range e.classic.Members() {
			text += fmt.Sprintf(" %s %s", member.ID, grouptest.AssignmentText(member.Assignment))
		}
		all[id] = text
	}
	return all
}

func consumerText(g kmsg.ConsumerGroupDescribeResponseGroup) string {
	text := fmt.Sprintf("%s %d %d", g.State, g.Epoch, g.AssignmentEpoch)
	for _, m := range g.Members {
		text += fmt.Sprintf("\n%s %s %d %d %v %s has %v of %v", m.MemberID, textOf(m.InstanceID), m.MemberEpoch, m.MemberType,
			m.SubscribedTopics, textOf(m.SubscribedTopicRegex), m.Assignment.TopicPartitions, m.TargetAssignment.TopicPartitions)
	}
	return text
}

func textOf(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}
