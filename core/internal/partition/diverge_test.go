package partition

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/storage"
)

func TestWhereAReaderPartsFromTheLog(t *testing.T) {
	w := newBench(t)
	p := w.open() // in epoch 3
	mustAppend(t, p, values("a", "b", "c", "d"))
	_, refused := p.DeleteRecords(1)
	require.Nil(t, refused)
	w.engine.Log(id0).SetEpochs(storage.EpochStart{Epoch: 1, Start: 1}, storage.EpochStart{Epoch: 3, Start: 2})
	for name, test := range map[string]struct {
		offset      int64
		epoch, last int32
		refused     *kerr.Error
		diverging   *EpochEnd
		goesOn      bool
	}{
		"goes on in the epoch of now":       {offset: 3, epoch: AnyEpoch, last: 3, goesOn: true},
		"goes on at the end of an epoch":    {offset: 2, epoch: 3, last: 1, goesOn: true},
		"has more of an epoch":              {offset: 3, epoch: 3, last: 1, diverging: &EpochEnd{1, 2}},
		"has an epoch that the log has not": {offset: 2, epoch: 3, last: 2, diverging: &EpochEnd{1, 2}},
		"is of an epoch to come":            {offset: 2, epoch: 3, last: 4, refused: kerr.OffsetOutOfRange},
		"is below the start":                {offset: 0, epoch: 3, last: 3, refused: kerr.OffsetOutOfRange},
		"is beyond the end":                 {offset: 9, epoch: 3, last: 3, diverging: &EpochEnd{3, 4}},
		"knows an old leader":               {offset: 9, epoch: 2, last: 3, refused: kerr.FencedLeaderEpoch},
		"knows a leader to come":            {offset: 9, epoch: 4, last: 3, refused: kerr.UnknownLeaderEpoch},
	} {
		t.Run(name, func(t *testing.T) {
			f, ok := p.Diverged(test.offset, test.epoch, test.last)
			require.Equal(t, !test.goesOn, ok)
			require.Equal(t, test.diverging, f.Diverging)
			if test.diverging != nil {
				require.Equal(t, []int64{4, 1}, []int64{f.HighWatermark, f.LogStartOffset})
			}
			if test.refused == nil {
				require.Nil(t, f.Refusal)
				return
			}
			require.Equal(t, test.refused, f.Refusal.Kind)
			require.Equal(t, test.refused == kerr.FencedLeaderEpoch, f.Leader == 1, "the leader is told to those who are late")
		})
	}
}
