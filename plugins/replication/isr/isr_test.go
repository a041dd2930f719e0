package isr

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

func TestSettings(t *testing.T) {
	require.NoError(t, Factory().Check(nil))
	require.NoError(t, Factory().Check(map[string]any{"replica.lag.time.max.ms": 500, "flush.before.ack": true}))
	for name, raw := range map[string]map[string]any{
		"replica.lag.time.max.ms is 0":              {"replica.lag.time.max.ms": 0},
		"replica.fetch.wait.max.ms is -1":           {"replica.fetch.wait.max.ms": -1},
		"must not be over replica.lag.time.max.ms":  {"replica.fetch.wait.max.ms": 40_000},
		`unknown setting "replica.lag.time.max.mx"`: {"replica.lag.time.max.mx": 1},
	} {
		require.ErrorContains(t, Factory().Check(raw), name)
	}
}

func TestOpenRefusesWhatCannotBe(t *testing.T) {
	record := replication.Record{Leader: 1, Replicas: []int32{1}, InSync: []int32{1}}
	for name, start := range map[string]replication.Start{
		"not one of the partition's replicas": {Self: 2, Record: record},
		"the log is from 5 to 4":              {Self: 1, Record: record, Log: replication.LogView{Start: 5, End: 4}},
		"hard state of 3 bytes":               {Self: 1, Record: record, Hard: []byte{1, 2, 3}},
	} {
		_, err := New(Defaults()).Open(context.Background(), start)
		require.ErrorContains(t, err, name)
	}
}

func TestUnknownEventsAreFatal(t *testing.T) {
	m := oneReplica(t)
	_, err := m.Step(0, []replication.Event{{Kind: 200}}, nil)
	require.Equal(t, module.Fatal, module.ClassOf(err))
	_, again := m.Step(0, nil, nil)
	require.Equal(t, err, again, "a machine that failed stays failed")
}

func oneReplica(t testing.TB) replication.Machine {
	m, err := New(Defaults()).Open(context.Background(), replication.Start{
		Self: 1, Record: replication.Record{Leader: 1, Replicas: []int32{1}, InSync: []int32{1}, MinInSync: 1},
	})
	require.NoError(t, err)
	_, err = m.Step(0, nil, nil)
	require.NoError(t, err)
	return m
}

// write is one proposal through a machine of one replica.
func write(t testing.TB, m replication.Machine, n int64, events []replication.Event, out []replication.Effect) {
	events[0] = replication.Event{Kind: replication.EventPropose, Request: uint64(n + 1), Acks: acksAll}
	effects, err := m.Step(0, events, out[:0])
	if err != nil || len(effects) != 1 || effects[0].Kind != replication.EffectAppend {
		t.Fatalf("a proposal gave %+v, %v", effects, err)
	}
	events[0] = replication.Event{Kind: replication.EventAppended, Request: uint64(n + 1), Base: n, End: n + 1}
	effects, err = m.Step(0, events, out[:0])
	if err != nil || len(effects) != 2 || effects[0].Kind != replication.EffectVisible || effects[1].Kind != replication.EffectAck {
		t.Fatalf("an append gave %+v, %v", effects, err)
	}
}

func TestOneReplicaWritesWithoutAllocating(t *testing.T) {
	m := oneReplica(t)
	events, out := make([]replication.Event, 1), make([]replication.Effect, 0, 4)
	n := int64(0)
	allocated := testing.AllocsPerRun(1000, func() {
		write(t, m, n, events, out)
		n++
	})
	require.Zero(t, allocated)
}

func BenchmarkOneReplica(b *testing.B) {
	m := oneReplica(b)
	events, out := make([]replication.Event, 1), make([]replication.Effect, 0, 4)
	n := int64(0)
	for b.Loop() {
		write(b, m, n, events, out)
		n++
	}
}

func TestQueueKeepsOrderAndMemory(t *testing.T) {
	var q queue
	next := uint64(0)
	for i := range uint64(10_000) {
		q.push(proposal{request: i})
		if i%3 > 0 {
			require.Equal(t, next, q.pop().request)
			next++
		}
	}
	removed, ok := q.remove(next + 5)
	require.True(t, ok)
	require.Equal(t, next+5, removed.request)
	_, ok = q.remove(1 << 40)
	require.False(t, ok)
	for ; next < 10_000; next++ {
		if next != removed.request {
			require.Equal(t, next, q.pop().request)
		}
	}
	require.Zero(t, q.len())

	var short queue
	for i := range 100_000 {
		short.push(proposal{request: uint64(i)})
		if i > 10 {
			short.pop()
		}
	}
	require.Less(t, cap(short.items), 100, "a queue that stays short does not grow")
}
