package churn

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/compat/churn/event"
)

// told is an event of the process a, b, ...; its time is its place.
type told struct {
	process string
	event.Event
}

func assigned(process string, generation int32) told {
	return told{process, event.Event{Kind: event.Assigned, Member: process + "-id", Generation: generation, Partitions: []int32{0}}}
}

func revoked(process string, generation int32) told {
	return told{process, event.Event{Kind: event.Revoked, Member: process + "-id", Generation: generation, Partitions: []int32{0}}}
}

func records(process string, first, last int64) told {
	return told{process, event.Event{Kind: event.Records, First: first, Last: last}}
}

func commits(process string, offset int64) told {
	return told{process, event.Event{Kind: event.Committing, Offset: offset}}
}

func hasCommitted(process string, offset int64) told {
	return told{process, event.Event{Kind: event.Committed, Offset: offset}}
}

// runsAlways is a machine that never stands still.
func runsAlways(at, ms int64) int64 { return at + ms }

func ledgerOf(events ...told) *ledger {
	l := newLedger(runsAlways)
	for at, e := range events {
		e.At = int64(at)
		l.add(e.process, "of "+e.process, e.Event)
	}
	return l
}

// handOver is a partition that goes from a to b as it should.
var handOver = []told{
	assigned("a", 1), records("a", 0, 9), commits("a", 10), hasCommitted("a", 10), revoked("a", 1),
	assigned("b", 2), records("b", 10, 19),
}

func TestAHandOverHasNoFaults(t *testing.T) {
	l := ledgerOf(handOver...)
	require.Empty(t, l.jumps())
	require.Empty(t, l.shared())
	require.Empty(t, l.unconsumed(map[int32]int64{0: 20}))
	require.Empty(t, l.idle([]string{"of a", "of b"}))
	require.Equal(t, []string{"of c"}, l.idle([]string{"of a", "of c"}))
}

func TestARecordThatNobodyProcessed(t *testing.T) {
	l := ledgerOf(handOver...)
	require.Equal(t, []string{"offset 20 of partition 0, which ends at 21, was processed by nobody"}, l.unconsumed(map[int32]int64{0: 21}))
	require.Equal(t, []string{"offset 0 of partition 1, which ends at 1, was processed by nobody"}, l.unconsumed(map[int32]int64{1: 1}))
}

func TestJumps(t *testing.T) {
	for name, one := range map[string]struct {
		events []told
		want   string
	}{
		"a gap": {[]told{assigned("a", 1), records("a", 0, 4), records("a", 6, 6)},
			"a processes offset 6 of partition 0 after 4"},
		"a repetition without a new assignment": {[]told{assigned("a", 1), records("a", 0, 4), records("a", 4, 4)},
			"a processes offset 4 of partition 0 after 4"},
		"a beginning behind what was committed": {[]told{assigned("a", 1), records("a", 0, 9), commits("a", 5), revoked("a", 1), assigned("b", 2), records("b", 7, 9)},
			"b begins partition 0 at offset 7, which nobody committed"},
		"a beginning before what was committed": {[]told{assigned("a", 1), records("a", 0, 9), commits("a", 5), hasCommitted("a", 5), commits("a", 10), hasCommitted("a", 10),
			revoked("a", 1), assigned("b", 2), records("b", 5, 9)},
			"b begins partition 0 at offset 5 although 10 had been committed 2 ms before it was assigned"},
		"records of another's partition": {[]told{records("a", 0, 4)},
			"a processes offset 0 of partition 0, which it was not assigned"},
		"records after the partition was given up": {[]told{assigned("a", 1), revoked("a", 1), records("a", 0, 0)},
			"a processes offset 0 of partition 0, which it was not assigned"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, []string{one.want}, ledgerOf(one.events...).jumps()) })
	}
}

// A commit whose answer was lost may have been kept or not: the next member may
// begin at either offset.
func TestACommitWithoutAnAnswer(t *testing.T) {
	before := []told{assigned("a", 1), records("a", 0, 9), commits("a", 5), hasCommitted("a", 5), commits("a", 10), revoked("a", 1), assigned("b", 2)}
	for _, first := range []int64{5, 10} {
		require.Empty(t, ledgerOf(append(before[:len(before):len(before)], records("b", first, 12))...).jumps())
	}
}

func TestSharedPartitions(t *testing.T) {
	for name, one := range map[string]struct {
		events []told
		shared bool
	}{
		"two in one generation":                   {[]told{assigned("a", 3), assigned("b", 3)}, true},
		"one has it on into the other's":          {[]told{assigned("a", 3), assigned("b", 5), revoked("a", 6)}, true},
		"one gives it up in an earlier one":       {[]told{assigned("a", 3), revoked("a", 4), assigned("b", 5)}, false},
		"one that was away does not know of this": {[]told{assigned("a", 3), assigned("b", 5), {"a", event.Event{Kind: event.Lost, Member: "a-id", Generation: 9, Partitions: []int32{0}}}}, false},
		"the same member again":                   {[]told{assigned("a", 3), revoked("a", 3), assigned("a", 4)}, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, one.shared, len(ledgerOf(one.events...).shared()) > 0) })
	}
}
