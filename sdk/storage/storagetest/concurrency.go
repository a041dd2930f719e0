package storagetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// follow reads as a consumer does until it has reached the offset until. An
// offset that was trimmed away meanwhile is skipped to the start.
func follow(t *testing.T, log storage.Log, until int64) {
	for offset := int64(0); offset < until; {
		chunk, err := log.Read(t.Context(), storage.Read{Offset: offset, Before: everything, MaxBytes: 700})
		if errors.Is(err, storage.ErrOffsetOutOfRange) {
			b, err := log.Bounds(t.Context())
			if !assert.NoError(t, err) {
				return
			}
			offset = b.Start
			continue
		}
		if !assert.NoError(t, err) {
			return
		}
		data := bytesOf(t, chunk)
		for first := true; len(data) > 0; first = false {
			b, rest, ok := record.Next(data)
			if !ok && !first {
				break // cut off by MaxBytes
			}
			if !assert.True(t, ok && b.CRCValid() && b.BaseOffset() <= offset && b.LastOffset() >= offset, "batch at %d", offset) {
				return
			}
			offset, data = b.LastOffset()+1, rest
		}
	}
}

var concurrencyTests = map[string]func(*testing.T, *fixture){
	"reads, syncs and bounds beside appends": func(t *testing.T, f *fixture) {
		f.begin()
		const until = 600
		var others sync.WaitGroup
		var stop atomic.Bool
		for range 3 {
			others.Go(func() { follow(t, f.log, until) })
		}
		others.Go(func() {
			last := int64(0)
			for !stop.Load() {
				durable, err := f.log.Sync(t.Context())
				b, boundsErr := f.log.Bounds(t.Context())
				if !assert.NoError(t, errors.Join(err, boundsErr)) {
					return
				}
				assert.GreaterOrEqual(t, durable, last)
				assert.LessOrEqual(t, durable, b.End)
				_, _, err = f.log.SeekTime(t.Context(), last, b.End)
				_, epochsErr := f.log.Epochs(t.Context())
				_, segmentsErr := f.log.Segments(t.Context())
				assert.NoError(t, errors.Join(err, epochsErr, segmentsErr))
				last = durable
			}
		})
		for f.bounds().End < until {
			f.fill(3)
		}
		stop.Store(true)
		others.Wait()
		durable, err := f.log.Sync(t.Context())
		require.NoError(t, err)
		require.Equal(t, f.bounds().End, durable)
	},
	"syncs beside each other cover what came before them": func(t *testing.T, f *fixture) {
		f.begin()
		for range 20 {
			f.fill(2)
			end := f.bounds().End
			var callers sync.WaitGroup
			for range 4 {
				callers.Go(func() {
					durable, err := f.log.Sync(t.Context())
					assert.NoError(t, err)
					assert.Equal(t, end, durable)
				})
			}
			callers.Wait()
		}
	},
	"logs beside each other": func(t *testing.T, f *fixture) {
		f.mount()
		var writers sync.WaitGroup
		for p := range int32(8) {
			writers.Go(func() {
				log, _, err := f.engine.Open(t.Context(), storage.Open{Dir: f.dir, ID: orders(p), Config: small()})
				if !assert.NoError(t, err) {
					return
				}
				for i := range int64(50) {
					_, err := log.Append(t.Context(), storage.Append{Batches: batch(i, p, 1, 1)})
					assert.NoError(t, err)
				}
				follow(t, log, 50)
				assert.NoError(t, log.Close(t.Context()))
			})
		}
		writers.Wait()
		require.NoError(t, f.engine.Unmount(t.Context(), f.dir))
		require.Len(t, f.mount().Logs, 8)
	},
}
