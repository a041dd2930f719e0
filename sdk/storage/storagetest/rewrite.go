package storagetest

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// beginRewritable is begin and a log of fillWith, all durable, for an engine
// that can rewrite. One that cannot has to say so, and nothing else is asked of
// it.
func (f *fixture) beginRewritable() (batches []record.Batch, ok bool) {
	f.t.Helper()
	f.begin()
	batches = f.fillWith(wavering()...)
	f.sync()
	err := f.log.Rewrite(f.t.Context(), storage.Rewrite{To: f.segments()[0].End, First: true})
	if errors.Is(err, storage.ErrNotSupported) {
		require.Equal(f.t, module.Invalid, module.ClassOf(err))
		require.Equal(f.t, join(batches), f.readAll(0))
		return nil, false
	}
	require.NoError(f.t, err)
	return batches, true
}

func (f *fixture) sync() {
	f.t.Helper()
	durable, err := f.log.Sync(f.t.Context())
	require.NoError(f.t, err)
	require.Equal(f.t, f.bounds().End, durable)
}

// keepSome keeps of the batches from from to to the last one and those of which
// wanted says so; all outside of the range stay.
func keepSome(batches []record.Batch, from, to int64, wanted func(i int) bool) (kept, all []record.Batch) {
	for i, b := range batches {
		within := b.BaseOffset() >= from && b.BaseOffset() < to
		if within && b.LastOffset()+1 != to && !wanted(i) {
			continue
		}
		all = append(all, b)
		if within {
			kept = append(kept, b)
		}
	}
	return kept, all
}

func (f *fixture) rewrite(from, to int64, kept []record.Batch) {
	f.t.Helper()
	require.NoError(f.t, f.log.Rewrite(f.t.Context(), storage.Rewrite{From: from, To: to, First: true, Batches: join(kept), Last: true}))
}

// checkRewritten holds reads at every offset to the batches that are left.
func (f *fixture) checkRewritten(batches []record.Batch) {
	f.t.Helper()
	f.checkSegments(batches)
	for offset := f.bounds().Start; offset < f.bounds().End; offset++ {
		want := batches[holding(batches, offset)]
		require.Equal(f.t, []byte(want), f.read(offset, everything, 1), "offset %d", offset)
	}
	require.Equal(f.t, join(batches), f.readAll(f.bounds().Start))
	for _, before := range []int64{f.bounds().Start + 1, 17, 30, 61, everything} {
		for _, ms := range []int64{0, 1000, 1100, 1300, 4999, 5000, 5001} {
			f.checkSeek(batches, ms, before, f.bounds().Start)
		}
		f.checkMax(batches, before, f.bounds().Start)
	}
}

func everyThird(i int) bool { return i%3 == 0 }

var rewriteTests = map[string]func(*testing.T, *fixture){
	"segments become one with fewer batches": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		before, bounds := f.segments(), f.bounds()
		require.Greater(t, len(before), 4)
		kept, all := keepSome(batches, before[1].Base, before[3].End, everyThird)
		f.rewrite(before[1].Base, before[3].End, kept)
		freshAndReopened(t, f, func() {
			require.Len(t, f.checkSegments(all), len(before)-2)
			f.checkRewritten(all)
			require.Equal(t, bounds.End, f.bounds().End)
		})
		all = append(all, f.fill(9)...)
		f.checkRewritten(all)
	},
	"nothing changes before the last of many parts": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		to := f.segments()[2].End
		kept, all := keepSome(batches, 0, to, everyThird)
		for i, b := range kept {
			require.NoError(t, f.log.Rewrite(t.Context(), storage.Rewrite{To: to, First: i == 0, Batches: b}))
			if i%2 == 0 {
				batches = append(batches, f.fill(1)...)
				all = append(all, batches[len(batches)-1])
			}
			f.checkRewritten(batches)
		}
		require.NoError(t, f.log.Rewrite(t.Context(), storage.Rewrite{To: to, Last: true}))
		freshAndReopened(t, f, func() { f.checkRewritten(all) })
	},
	"an unfinished rewrite is forgotten": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		to := f.segments()[2].End
		kept, all := keepSome(batches, 0, to, everyThird)
		require.NoError(t, f.log.Rewrite(t.Context(), storage.Rewrite{To: to, First: true, Batches: kept[0]}))
		f.rewrite(0, to, kept)
		f.checkRewritten(all)
		require.NoError(t, f.log.Rewrite(t.Context(), storage.Rewrite{To: to, First: true, Batches: kept[0]}))
		f.reopen()
		f.checkRewritten(all)
		err := f.log.Rewrite(t.Context(), storage.Rewrite{To: to, Batches: join(kept[1:]), Last: true})
		require.Equal(t, module.Invalid, module.ClassOf(err))
		f.checkRewritten(all)
	},
	"again and again, down to an empty batch": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		for range 3 {
			to := f.segments()[1].End
			kept, all := keepSome(batches, 0, to, func(i int) bool { return i%2 == 0 })
			f.rewrite(0, to, kept)
			f.checkRewritten(all)
			batches = all
		}
		first := f.segments()[0]
		_, all := keepSome(batches, 0, first.End, func(int) bool { return false })
		all[0] = all[0].AppendRebuilt(nil, record.Contents{BaseTimestamp: -1, MaxTimestamp: -1})
		f.rewrite(0, first.End, all[:1])
		freshAndReopened(t, f, func() {
			require.EqualValues(t, record.HeaderSize, f.segments()[0].Bytes)
			require.Equal(t, join(all), f.readAll(0))
			require.Equal(t, []byte(all[0]), f.read(0, everything, 1))
			f.checkSeek(all, 1, everything, 0)
		})
	},
	"how far the log is compacted is kept": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		require.Zero(t, f.reopen().Compacted)
		s := f.segments()
		kept, _ := keepSome(batches, 0, s[1].End, everyThird)
		r := storage.Rewrite{To: s[1].End, First: true, Batches: join(kept), Last: true, Compacted: s[1].End - 1}
		require.NoError(t, f.log.Rewrite(t.Context(), r))
		require.Equal(t, s[1].End-1, f.reopen().Compacted)
		r.Compacted = 0
		require.NoError(t, f.log.Rewrite(t.Context(), r))
		require.Equal(t, s[1].End-1, f.reopen().Compacted)
		require.NoError(t, f.log.Close(t.Context()))
		require.NoError(t, f.engine.Remove(t.Context(), f.dir, orders(0)))
		require.Zero(t, f.openLog(small()).Compacted, "another log")
	},
	"what may not be rewritten": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		s := f.segments()
		last := len(s) - 1
		whole, _ := keepSome(batches, 0, s[0].End, func(int) bool { return true })
		for name, r := range map[string]storage.Rewrite{
			"begins within a segment":      {From: 2, To: s[0].End, First: true, Batches: join(whole[1:]), Last: true},
			"ends within a segment":        {To: s[0].End - 2, First: true, Batches: join(whole[:len(whole)-1]), Last: true},
			"the active segment":           {From: s[last].Base, To: s[last].End, First: true},
			"nothing":                      {From: s[1].Base, To: s[1].Base, First: true, Last: true},
			"was not begun":                {From: s[1].Base, To: s[1].End, Batches: join(whole), Last: true},
			"no batch":                     {To: s[0].End, First: true, Last: true},
			"a gap at the end":             {To: s[0].End, First: true, Batches: join(whole[:len(whole)-1]), Last: true},
			"half a batch":                 {To: s[0].End, First: true, Batches: join(whole)[:len(join(whole))-1], Last: true},
			"batches that do not ascend":   {To: s[0].End, First: true, Batches: join([]record.Batch{whole[1], whole[0]}), Last: true},
			"a batch of the segment below": {From: s[1].Base, To: s[1].End, First: true, Batches: whole[0], Last: true},
			"a batch of the segment above": {To: s[0].End, First: true, Batches: batches[len(whole)], Last: true},
		} {
			err := f.log.Rewrite(t.Context(), r)
			require.Error(t, err, name)
			require.Equal(t, module.Invalid, module.ClassOf(err), name)
		}
		freshAndReopened(t, f, func() { f.checkRewritten(batches) })
	},
	"what is not durable may not be rewritten": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		batches = append(batches, f.fill(60)...)
		s := f.segments()
		from := s[len(s)-3]
		kept, all := keepSome(batches, from.Base, from.End, everyThird)
		r := storage.Rewrite{From: from.Base, To: from.End, First: true, Batches: join(kept), Last: true}
		require.Less(t, f.bounds().Durable, from.End)
		require.Equal(t, module.Invalid, module.ClassOf(f.log.Rewrite(t.Context(), r)))
		f.sync()
		require.NoError(t, f.log.Rewrite(t.Context(), r))
		freshAndReopened(t, f, func() { f.checkRewritten(all) })
	},
	"epochs and the newest state stay": func(t *testing.T, f *fixture) {
		f.epochsFrom0()
		batches := f.fill(40)
		s := f.segments()
		require.Greater(t, len(s), 3)
		for _, one := range s {
			f.saveState(one.Base, "state")
		}
		f.sync()
		to := s[len(s)-1].Base
		kept, _ := keepSome(batches, 0, to, func(int) bool { return false })
		err := f.log.Rewrite(t.Context(), storage.Rewrite{To: to, First: true, Batches: join(kept), Last: true})
		if errors.Is(err, storage.ErrNotSupported) {
			return
		}
		require.NoError(t, err)
		freshAndReopened(t, f, func() {
			f.wantEpochs(storage.EpochStart{Epoch: 0, Start: 0}, storage.EpochStart{Epoch: 3, Start: 4}, storage.EpochStart{Epoch: 4, Start: 6})
			f.wantState(everything, to, "state")
			f.wantState(0, 0, "state")
		})
	},
	"a trim into it, and a truncation above": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		s := f.segments()
		to := s[3].End
		kept, all := keepSome(batches, s[1].Base, to, everyThird)
		f.rewrite(s[1].Base, to, kept)
		require.NoError(t, f.log.Trim(t.Context(), to-3))
		require.NoError(t, f.log.Truncate(t.Context(), to))
		var left []record.Batch
		for _, b := range all {
			if b.BaseOffset() >= s[1].Base && b.BaseOffset() < to {
				left = append(left, b)
			}
		}
		freshAndReopened(t, f, func() {
			f.checkSegments(left)
			require.Equal(t, []byte(left[holding(left, to-3)]), f.read(to-3, everything, 1))
		})
		left = append(left, f.fill(20)...)
		f.checkSegments(left)
	},
	"what was read of the old segments goes on": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		chunk, err := f.log.Read(t.Context(), storage.Read{Before: everything, MaxBytes: 1 << 20})
		require.NoError(t, err)
		var files []*os.File
		ids := map[uint64]bool{}
		for _, e := range chunk.Extents {
			if e.Data == nil {
				file, err := os.Open(e.File.Path)
				require.NoError(t, err)
				files, ids[e.File.ID] = append(files, file), true
			}
		}
		to := f.segments()[3].End
		kept, all := keepSome(batches, 0, to, everyThird)
		f.rewrite(0, to, kept)
		var old []byte
		for _, e := range chunk.Extents {
			piece := e.Data
			if piece == nil {
				piece = make([]byte, e.Length)
				_, err := files[0].ReadAt(piece, e.Position)
				require.NoError(t, err)
				require.NoError(t, files[0].Close())
				files = files[1:]
			}
			old = append(old, piece...)
		}
		require.Equal(t, join(batches), old)
		again, err := f.log.Read(t.Context(), storage.Read{Before: to, MaxBytes: 1 << 20})
		require.NoError(t, err)
		for _, e := range again.Extents {
			require.False(t, e.Data == nil && ids[e.File.ID], "the new segment is another file")
		}
		f.checkRewritten(all)
	},
	"reads and appends beside it": func(t *testing.T, f *fixture) {
		batches, ok := f.beginRewritable()
		if !ok {
			return
		}
		to := f.segments()[3].End
		kept, all := keepSome(batches, 0, to, everyThird)
		var others sync.WaitGroup
		var stop atomic.Bool
		others.Go(func() {
			for offset := int64(0); !stop.Load(); offset = (offset + 1) % to {
				_, err := f.log.Read(t.Context(), storage.Read{Offset: offset, Before: everything, MaxBytes: 500})
				_, segmentsErr := f.log.Segments(t.Context())
				_, _, seekErr := f.log.SeekTime(t.Context(), 1000+offset, everything)
				_, syncErr := f.log.Sync(t.Context())
				if !assert.NoError(t, errors.Join(err, segmentsErr, seekErr, syncErr)) {
					return
				}
			}
		})
		for range 5 {
			var parts sync.WaitGroup
			parts.Go(func() {
				for i, b := range kept {
					assert.NoError(t, f.log.Rewrite(t.Context(), storage.Rewrite{To: to, First: i == 0, Batches: b}))
				}
			})
			all = append(all, f.fill(20)...)
			parts.Wait()
			require.NoError(t, f.log.Rewrite(t.Context(), storage.Rewrite{To: to, Last: true}))
		}
		stop.Store(true)
		others.Wait()
		freshAndReopened(t, f, func() { f.checkRewritten(all) })
	},
}
