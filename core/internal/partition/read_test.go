package partition

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/storage"
)

// ending is a log whose partition ends as it is about to be read.
type ending struct {
	storage.Log
	end func()
}

func (e ending) Read(ctx context.Context, r storage.Read) (storage.Chunk, error) {
	e.end()
	return e.Log.Read(ctx, r)
}

func TestAReaderIsToldOfTheEndWheneverItComes(t *testing.T) {
	p := newBench(t).open()
	mustAppend(t, p, values("a"))
	p.log = ending{p.log, func() { require.NoError(t, p.close(context.Background(), errGone)) }}
	for range 2 {
		require.Equal(t, errGone, p.Read(0, AnyEpoch, 1).Refusal)
	}
}

// Clients take a log start offset above the high watermark for a broken log.
func TestNoReaderSeesAStartAboveTheHighWatermark(t *testing.T) {
	p := newBench(t).open()
	var over atomic.Bool
	var writer sync.WaitGroup
	defer writer.Wait()
	writer.Go(func() {
		defer over.Store(true)
		for range 2000 {
			if _, decided := p.Append(values("a"), 1, nil, 0); !decided {
				t.Error("not decided")
			}
			if _, refused := p.DeleteRecords(ToHighWatermark); refused != nil {
				t.Error(refused)
			}
		}
	})
	for !over.Load() {
		read := p.Read(0, AnyEpoch, 0)
		diverged, _ := p.Diverged(0, AnyEpoch, 3)
		for _, f := range []Fetched{read, diverged} {
			require.LessOrEqual(t, f.LogStartOffset, f.HighWatermark)
		}
	}
}
