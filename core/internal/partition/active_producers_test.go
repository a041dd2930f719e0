package partition

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestActiveProducers(t *testing.T) {
	w := newBench(t)
	p := w.open()
	require.Empty(t, p.ActiveProducers())
	mustAppend(t, p, values("of a producer without an id"))
	mustAppend(t, p, sequencedBatch(9, 0, 0, 3))
	mustAppend(t, p, sequencedBatch(9, 0, 3, 2))
	w.clock.Advance(time.Minute)
	mustAppend(t, p, sequencedBatch(4, 2, 0, 1))
	active := p.ActiveProducers()
	require.Len(t, active, 2)
	require.Equal(t, ActiveProducer{ID: 4, Epoch: 2, LastSequence: 0, LastTimestampMs: nowMs}, active[0])
	require.EqualValues(t, 9, active[1].ID)
	require.EqualValues(t, 4, active[1].LastSequence)
	w.clock.Advance(w.host.Config.ProducerIDExpiration - time.Minute)
	require.Len(t, p.ActiveProducers(), 1, "the other has expired")
}
