package electiontest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

func leads(t *testing.T, b *broker) {
	require.Positive(t, b.epoch)
	s, err := b.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int32{s.Leadership.Leader}, s.Voters)
	require.Zero(t, s.Committed, "a new log has entries")
}

func numbers(t *testing.T, b *broker) {
	require.EqualValues(t, 1, b.append(t, "a"))
	require.EqualValues(t, 3, b.append(t, "b", "c"))
	require.EqualValues(t, 4, b.append(t, "d"))
	_, entries := b.log(t, 0)
	require.Equal(t, []string{"a", "b", "c", "d"}, texts(entries))
	for _, e := range entries {
		require.Equal(t, b.epoch, e.Epoch)
	}
	b.requireLog(t, 2, "c", "d")
}

func keepsData(t *testing.T, b *broker) {
	long := strings.Repeat("0123456789abcdef", 1<<16)
	given := [][]byte{{}, {0}, {0xff, 0, 0xfe}, []byte(long)}
	_, err := b.Append(t.Context(), b.epoch, given)
	require.NoError(t, err)
	for _, g := range given {
		clear(g) // the caller may use its memory again
	}
	b.requireLog(t, 0, "", "\x00", "\xff\x00\xfe", long)
}

func appendsWhole(t *testing.T, b *broker) {
	const writers, appends, size = 8, 20, 3
	ends := make([][]int64, writers)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range appends {
				last, err := b.Append(t.Context(), b.epoch, blobs(numbered(fmt.Sprintf("%d/%d/", w, n), size)))
				if !assert.NoError(t, err) {
					return
				}
				ends[w] = append(ends[w], last)
			}
		})
	}
	all.Wait()
	_, entries := b.log(t, 0)
	require.Len(t, entries, writers*appends*size)
	for w := range writers {
		require.Len(t, ends[w], appends)
		for n, last := range ends[w] {
			require.Equal(t, numbered(fmt.Sprintf("%d/%d/", w, n), size), texts(entries[last-size:last]))
		}
	}
}

func fences(t *testing.T, b *broker) {
	b.append(t, "kept")
	for _, epoch := range []int64{b.epoch - 1, b.epoch + 1, 0, -1} {
		_, err := b.Append(t.Context(), epoch, blobs([]string{"refused"}))
		require.ErrorIs(t, err, election.ErrNotLeader, "epoch %d", epoch)
		require.Equal(t, module.Retriable, module.ClassOf(err))
	}
	require.EqualValues(t, 2, b.append(t, "after"))
	b.requireLog(t, 0, "kept", "after")
}

func refusesNothing(t *testing.T, b *broker) {
	_, err := b.Append(t.Context(), b.epoch, nil)
	require.Error(t, err)
	require.Equal(t, module.Invalid, module.ClassOf(err))
	require.EqualValues(t, 1, b.append(t, "first"))
}

func endsWithContext(t *testing.T, b *broker) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Follow(cancelled, election.Follow{Leadership: b.leadership(t), MaxBytes: 1})
	require.Error(t, err)
	require.Equal(t, module.Retriable, module.ClassOf(err))

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	leadership := b.leadership(t)
	go func() {
		_, err := b.Follow(ctx, election.Follow{Leadership: leadership, MaxBytes: 1})
		ended <- err
	}()
	cancel()
	err = <-ended
	require.Error(t, err)
	require.Equal(t, module.Retriable, module.ClassOf(err))
	require.EqualValues(t, 1, b.append(t, "goes on"))
}
