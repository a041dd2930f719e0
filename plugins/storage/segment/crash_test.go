package segment

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// crashRun writes a log and, before each operation on the files, looks at what
// a crash at that moment would leave.
type crashRun struct {
	t    *testing.T
	disk *vfs.Mem
	log  storage.Log
	// wanted is what has been appended or is being appended; former is the same
	// from before a truncation that has not returned.
	wanted, former []record.Batch
	// durable is what Sync has answered. start is the latest start offset that
	// was asked for, and startSure the latest that was answered.
	durable, start, startSure int64
	opened                    bool
	points                    int
	step                      int
}

var powerCuts = []vfs.Persistence{vfs.KeepAll, vfs.KeepNone, vfs.KeepPrefix, vfs.KeepSubset}

// TestPowerCutAtEveryOperation loses nothing that was synced and leaves a
// contiguous log, wherever the cut comes.
func TestPowerCutAtEveryOperation(t *testing.T) {
	for seed := range uint64(3) {
		run := &crashRun{t: t, disk: vfs.NewMem()}
		require.NoError(t, run.disk.MkdirAll("/data", 0o755))
		require.NoError(t, run.disk.SyncDir("/"))
		files := vfs.WithFaults(run.disk, func(op vfs.Op) error {
			if run.opened && op.Kind != vfs.OpRead && op.Kind != vfs.OpStat && op.Kind != vfs.OpReadDir {
				run.cut(seed, op)
			}
			return nil
		})
		o := start(t, files, small())
		run.log, run.opened = o.log, true
		run.script()
		run.opened = false
		require.Greater(t, run.points, 500)
	}
}

func (r *crashRun) append(epoch int32, count int) {
	b := batchFor(r.end(), epoch, count)
	r.wanted = append(r.wanted[:len(r.wanted):len(r.wanted)], b)
	_, err := r.log.Append(r.t.Context(), storage.Append{Batches: b})
	require.NoError(r.t, err)
}

func (r *crashRun) end() int64 {
	if len(r.wanted) == 0 {
		return 0
	}
	return r.wanted[len(r.wanted)-1].LastOffset() + 1
}

func (r *crashRun) sync() {
	durable, err := r.log.Sync(r.t.Context())
	require.NoError(r.t, err)
	require.Equal(r.t, r.end(), durable)
	r.durable = durable
}

func (r *crashRun) truncate(back int) {
	kept := r.wanted[:len(r.wanted)-back]
	r.former, r.wanted = r.wanted, kept
	r.durable = min(r.durable, r.end())
	require.NoError(r.t, r.log.Truncate(r.t.Context(), r.end()))
	r.former = nil
}

func (r *crashRun) trim(to int64) {
	r.start = to
	require.NoError(r.t, r.log.Trim(r.t.Context(), to))
	r.startSure = to
}

// rewrite makes one of all closed segments.
func (r *crashRun) rewrite() {
	segments, err := r.log.Segments(r.t.Context())
	require.NoError(r.t, err)
	require.Greater(r.t, len(segments), 2)
	from, to := segments[0].Base, segments[len(segments)-1].Base
	kept, all := keepSome(r.wanted, from, to)
	r.former, r.wanted = r.wanted, all
	for i, b := range kept {
		require.NoError(r.t, r.log.Rewrite(r.t.Context(), storage.Rewrite{From: from, To: to, First: i == 0, Batches: b}))
	}
	require.NoError(r.t, r.log.Rewrite(r.t.Context(), storage.Rewrite{From: from, To: to, Last: true}))
	r.former = nil
}

func (r *crashRun) script() {
	for round := range int32(4) {
		for i := range 12 {
			r.append(round*2, 1+i%5)
		}
		r.sync()
		for i := range 14 {
			r.append(round*2, 1+i%3)
		}
		r.truncate(3)
		for i := range 9 {
			r.append(round*2+1, 2+i%4)
		}
		require.NoError(r.t, r.log.SaveHard(r.t.Context(), []byte("hard")))
		r.sync()
		r.append(round*2+1, 9)
		r.truncate(8)
		r.append(round*2+1, 2)
		r.sync()
		for i := range 12 {
			r.append(round*2+1, 1+i%7)
		}
		r.sync()
		r.rewrite()
		r.trim(r.end() - 7)
	}
}

// cut opens what each kind of crash leaves and holds it against what was
// written.
func (r *crashRun) cut(seed uint64, op vfs.Op) {
	r.step++
	for _, how := range powerCuts {
		r.points++
		name := fmt.Sprintf("seed %d, before operation %d (%+v), persistence %d", seed, r.step, op, how)
		r.check(name, r.disk.CrashClone(how, seed<<32+uint64(r.step)))
	}
}

func (r *crashRun) check(name string, files *vfs.Mem) {
	t := r.t
	e := newEngine(module.Env{Clock: clock.NewFake(time.UnixMilli(1)), FS: files, Node: 1}, Defaults())
	_, err := e.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
	require.NoError(t, err, name)
	log, _, err := e.Open(t.Context(), storage.Open{Dir: "/data", ID: topic, Config: small()})
	require.NoError(t, err, name)
	o := &opened{t: t, files: files, engine: e, log: log}
	b := o.bounds()
	require.GreaterOrEqual(t, b.End, r.durable, name)
	require.GreaterOrEqual(t, b.Start, r.startSure, name)
	require.LessOrEqual(t, b.Start, r.start, name)
	for _, s := range log.(*partitionLog).segments {
		require.Empty(t, s.damage, name)
	}
	content := o.content(b.Start)
	r.mustBePrefix(name, content, b)
	mustHaveItsEpochs(t, name, log, content)
	o.append(99, 2)
	require.NoError(t, e.Unmount(t.Context(), "/data"), name)
}

func (r *crashRun) mustBePrefix(name string, content []byte, b storage.Bounds) {
	for _, sequence := range [][]record.Batch{r.wanted, r.former} {
		if string(between(sequence, b.Start, b.End)) == string(content) && boundary(sequence, b.End) {
			return
		}
	}
	require.Fail(r.t, "log is not what was written", "%s: %+v", name, b)
}

// mustHaveItsEpochs holds the epochs of the log against those of its batches. An
// epoch without a batch may come last.
func mustHaveItsEpochs(t *testing.T, name string, log storage.Log, content []byte) {
	var want []storage.EpochStart
	for rest := content; len(rest) > 0; {
		batch, after, ok := record.Next(rest)
		require.True(t, ok)
		if last := len(want) - 1; last < 0 || batch.LeaderEpoch() > want[last].Epoch {
			want = append(want, storage.EpochStart{Epoch: batch.LeaderEpoch(), Start: batch.BaseOffset()})
		}
		rest = after
	}
	got, err := log.Epochs(t.Context())
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(got), len(want), name)
	for i := range want {
		require.Equal(t, want[i].Epoch, got[i].Epoch, name)
		if i > 0 {
			require.Equal(t, want[i].Start, got[i].Start, name)
		}
	}
}

// keepSome keeps of the batches from from to to the last one, the first of each
// epoch, and every other one. kept is those, all is with the batches outside.
func keepSome(batches []record.Batch, from, to int64) (kept, all []record.Batch) {
	for i, b := range batches {
		within := b.BaseOffset() >= from && b.BaseOffset() < to
		begins := i == 0 || batches[i-1].LeaderEpoch() < b.LeaderEpoch()
		if within && !begins && i%2 == 1 && b.LastOffset()+1 != to {
			continue
		}
		all = append(all, b)
		if within {
			kept = append(kept, b)
		}
	}
	return kept, all
}

// between is the batches from the one that holds start to the one before end.
func between(sequence []record.Batch, start, end int64) []byte {
	var all []byte
	for _, b := range sequence {
		if b.LastOffset() >= start && b.BaseOffset() < end {
			all = append(all, b...)
		}
	}
	return all
}

func boundary(sequence []record.Batch, end int64) bool {
	for _, b := range sequence {
		if b.LastOffset()+1 == end {
			return true
		}
	}
	return end == 0
}
