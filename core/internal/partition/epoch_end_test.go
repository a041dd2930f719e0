package partition

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/storage"
)

func TestWhereAnEpochEnds(t *testing.T) {
	starts := []storage.EpochStart{{Epoch: 2, Start: 10}, {Epoch: 4, Start: 20}, {Epoch: 5, Start: 30}}
	const end = 35
	for epoch, want := range map[int32]EpochEnd{
		-2: {-2, 10}, -1: {-1, -1}, 0: {0, 10}, 1: {1, 10}, 2: {2, 20}, 3: {2, 20}, 4: {4, 30}, 5: {5, end}, 6: {-1, -1},
	} {
		require.Equal(t, want, endOf(epoch, starts, end), "epoch %d", epoch)
	}
}

// A leader's epoch is known from the moment that it leads, as in Kafka, also
// when it has written nothing yet.
func TestAnEpochWithoutBatchesEndsWhereItBegins(t *testing.T) {
	w := newBench(t)
	p := w.open()
	mustAppend(t, p, values("a", "b"))
	w.engine.Log(id0).SetEpochs(storage.EpochStart{Epoch: 1, Start: 0})
	for epoch, want := range map[int32]EpochEnd{1: {1, 2}, 2: {1, 2}, 3: {3, 2}, 4: {-1, -1}} {
		got, err := p.EpochEnd(epoch)
		require.NoError(t, err)
		require.Equal(t, want, got, "epoch %d", epoch)
	}
}
