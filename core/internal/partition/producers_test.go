package partition

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/record"
)

const day = 86_400_000

func newProducers() *producers { return &producers{expireMs: day} }

// at puts a batch at an offset, as the leader does.
func at(offset int64, b record.Batch) record.Batch {
	b.SetBaseOffset(offset)
	return b
}

func TestSequenceNumbers(t *testing.T) {
	tests := map[string]struct {
		before []record.Batch
		next   record.Batch
		// duplicate is the base offset of the batch that next repeats, -1 for none.
		duplicate int64
		want      *kerr.Error
	}{
		"the first of a producer":      {next: sequencedBatch(7, 0, 0, 3), duplicate: -1},
		"unknown, begins anywhere":     {next: sequencedBatch(7, 0, 42, 3), duplicate: -1},
		"goes on":                      {before: []record.Batch{at(0, sequencedBatch(7, 0, 0, 3))}, next: sequencedBatch(7, 0, 3, 1), duplicate: -1},
		"repeats the last":             {before: []record.Batch{at(10, sequencedBatch(7, 0, 0, 3))}, next: sequencedBatch(7, 0, 0, 3), duplicate: 10},
		"leaves a gap":                 {before: []record.Batch{at(0, sequencedBatch(7, 0, 0, 3))}, next: sequencedBatch(7, 0, 4, 1), want: kerr.OutOfOrderSequenceNumber},
		"repeats a part":               {before: []record.Batch{at(0, sequencedBatch(7, 0, 0, 3))}, next: sequencedBatch(7, 0, 0, 2), want: kerr.OutOfOrderSequenceNumber},
		"a new epoch begins at 0":      {before: []record.Batch{at(0, sequencedBatch(7, 0, 0, 3))}, next: sequencedBatch(7, 1, 0, 1), duplicate: -1},
		"a new epoch does not go on":   {before: []record.Batch{at(0, sequencedBatch(7, 0, 0, 3))}, next: sequencedBatch(7, 1, 3, 1), want: kerr.OutOfOrderSequenceNumber},
		"an old epoch":                 {before: []record.Batch{at(0, sequencedBatch(7, 2, 0, 3))}, next: sequencedBatch(7, 1, 3, 1), want: kerr.InvalidProducerEpoch},
		"a duplicate of an old epoch":  {before: []record.Batch{at(0, sequencedBatch(7, 0, 0, 3)), at(3, sequencedBatch(7, 1, 0, 1))}, next: sequencedBatch(7, 0, 0, 3), want: kerr.InvalidProducerEpoch},
		"wraps after the largest":      {before: []record.Batch{at(0, sequencedBatch(7, 0, math.MaxInt32, 1))}, next: sequencedBatch(7, 0, 0, 1), duplicate: -1},
		"wraps within a batch":         {before: []record.Batch{at(0, sequencedBatch(7, 0, math.MaxInt32-1, 4))}, next: sequencedBatch(7, 0, 2, 1), duplicate: -1},
		"repeats one that wraps":       {before: []record.Batch{at(5, sequencedBatch(7, 0, math.MaxInt32-1, 4))}, next: sequencedBatch(7, 0, math.MaxInt32-1, 4), duplicate: 5},
		"no epoch, begins anywhere":    {before: []record.Batch{at(0, sequencedBatch(7, -1, 0, 3))}, next: sequencedBatch(7, -1, 9, 1), duplicate: -1},
		"no epoch, repeats":            {before: []record.Batch{at(4, sequencedBatch(7, -1, 0, 3))}, next: sequencedBatch(7, -1, 0, 3), duplicate: 4},
		"no epoch, then the first":     {before: []record.Batch{at(0, sequencedBatch(7, -1, 0, 3))}, next: sequencedBatch(7, 0, 9, 1), duplicate: -1},
		"no epoch after one":           {before: []record.Batch{at(0, sequencedBatch(7, 0, 0, 3))}, next: sequencedBatch(7, -1, 3, 1), want: kerr.InvalidProducerEpoch},
		"another producer's are apart": {before: []record.Batch{at(0, sequencedBatch(8, 0, 0, 3))}, next: sequencedBatch(7, 0, 9, 1), duplicate: -1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := newProducers()
			for _, b := range test.before {
				p.apply(b, nowMs)
			}
			duplicate, refused := p.check(test.next, nowMs)
			if test.want != nil {
				require.NotNil(t, refused)
				require.Equal(t, test.want, refused.Kind)
				return
			}
			require.Nil(t, refused)
			if test.duplicate < 0 {
				require.Nil(t, duplicate)
			} else {
				require.Equal(t, test.duplicate, duplicate.baseOffset())
			}
		})
	}
}

func TestFiveBatchesAreRemembered(t *testing.T) {
	p := newProducers()
	for i := range int64(6) {
		p.apply(at(i, sequencedBatch(7, 0, int32(i), 1)), nowMs)
	}
	for i := range int32(6) {
		duplicate, refused := p.check(sequencedBatch(7, 0, i, 1), nowMs)
		if i == 0 {
			require.Equal(t, kerr.OutOfOrderSequenceNumber, refused.Kind)
			continue
		}
		require.Nil(t, refused)
		require.Equal(t, int64(i), duplicate.baseOffset())
	}
}

func TestProducersExpire(t *testing.T) {
	p := newProducers()
	p.apply(at(0, sequencedBatch(7, 3, 0, 1)), nowMs)
	_, refused := p.check(sequencedBatch(7, 3, 9, 1), nowMs+day-1)
	require.NotNil(t, refused)
	_, refused = p.check(sequencedBatch(7, 0, 9, 1), nowMs+day)
	require.Nil(t, refused, "an expired producer is an unknown one")
	require.Len(t, p.snapshot(nowMs+day), snapshotHeader, "and not kept")

	for i := range int64(2 * firstSweep) {
		p.apply(sequencedBatch(100+i, 0, 0, 1), nowMs+i*day)
	}
	require.Less(t, len(p.byID), firstSweep+1, "and forgotten in time")
}

func TestASnapshotKeepsTheState(t *testing.T) {
	p := newProducers()
	p.apply(at(0, sequencedBatch(7, 2, 0, 3)), nowMs)
	p.apply(at(3, sequencedBatch(7, 2, 3, 2)), nowMs)
	p.apply(at(5, sequencedBatch(9, 0, math.MaxInt32, 2)), nowMs)
	kept := p.snapshot(nowMs)
	require.Len(t, kept, snapshotHeader+2*snapshotEntrySize)

	loaded := newProducers()
	require.NoError(t, loaded.load(kept, nowMs))
	for _, repeat := range []struct {
		batch  record.Batch
		offset int64
	}{{sequencedBatch(7, 2, 3, 2), 3}, {sequencedBatch(9, 0, math.MaxInt32, 2), 5}} {
		duplicate, refused := loaded.check(repeat.batch, nowMs)
		require.Nil(t, refused)
		require.NotNil(t, duplicate)
		require.Equal(t, repeat.offset, duplicate.baseOffset())
	}
	require.Equal(t, kept, loaded.snapshot(nowMs))
}

func TestADamagedSnapshotIsRefused(t *testing.T) {
	p := newProducers()
	p.apply(at(0, sequencedBatch(7, 2, 0, 3)), nowMs)
	kept := p.snapshot(nowMs)
	for i := range kept {
		damaged := append([]byte(nil), kept...)
		damaged[i] ^= 1
		require.Error(t, newProducers().load(damaged, nowMs), "byte %d", i)
		require.Error(t, newProducers().load(kept[:i], nowMs), "cut at %d", i)
	}
}
