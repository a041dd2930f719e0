package electiontest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

func boundsBytes(t *testing.T, b *broker) {
	b.append(t, "1234", "1234", "1234")
	leadership := b.leadership(t)
	for maxBytes, want := range map[int]int{-1: 1, 0: 1, 1: 1, 4: 1, 7: 1, 8: 2, 11: 2, 12: 3, 1 << 20: 3} {
		update := b.follow(t, election.Follow{Leadership: leadership, MaxBytes: maxBytes})
		require.Len(t, update.Entries, want, "within %d bytes", maxBytes)
		require.EqualValues(t, 3, update.Committed)
	}
}

func wakes(t *testing.T, b *broker) {
	before := b.append(t, "before")
	leadership := b.leadership(t)
	type answer struct {
		update election.Update
		err    error
	}
	const followers = 3
	answers := make(chan answer, followers)
	for range followers {
		go func() {
			update, err := b.Follow(t.Context(), election.Follow{After: before, Leadership: leadership, MaxBytes: 1 << 20})
			answers <- answer{update, err}
		}()
	}
	b.append(t, "after")
	for range followers {
		a := <-answers
		require.NoError(t, a.err)
		require.Equal(t, []string{"after"}, texts(a.update.Entries))
		require.Equal(t, leadership, a.update.Leadership)
	}
}

func tellsLeadership(t *testing.T, b *broker) {
	last := b.append(t, "a")
	update := b.follow(t, election.Follow{After: last, Leadership: election.Leadership{Leader: -1}, MaxBytes: 1})
	require.Equal(t, b.leadership(t), update.Leadership)
	require.Equal(t, b.epoch, update.Leadership.Epoch)
	require.Empty(t, update.Entries)
	require.Equal(t, last, update.Committed)
}

func restarts(t *testing.T, b *broker) {
	old := b.epoch
	b.append(t, "a", "b")
	b.restart(t)
	require.Greater(t, b.epoch, old)
	_, err := b.Append(t.Context(), old, blobs([]string{"from the past"}))
	require.ErrorIs(t, err, election.ErrNotLeader)
	require.EqualValues(t, 3, b.append(t, "c"))
	for range 3 {
		b.restart(t)
	}
	b.requireLog(t, 0, "a", "b", "c")
	_, entries := b.log(t, 0)
	require.Equal(t, old, entries[1].Epoch)
	require.Greater(t, entries[2].Epoch, old)
}

func status(t *testing.T, b *broker) {
	b.append(t, "a", "b", "c")
	s, err := b.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, b.epoch, s.Leadership.Epoch)
	require.EqualValues(t, 1, s.First)
	require.EqualValues(t, 3, s.Committed)

	require.NoError(t, b.SaveSnapshot(t.Context(), 2, []byte("ab")))
	s, err = b.Status(t.Context())
	require.NoError(t, err)
	require.LessOrEqual(t, s.First, int64(3), "an entry after the snapshot was forgotten")
	require.EqualValues(t, 3, s.Committed)
}

func refusesFuture(t *testing.T, b *broker) {
	last := b.append(t, "a")
	err := b.SaveSnapshot(t.Context(), last+1, []byte("not yet"))
	require.Error(t, err)
	require.Equal(t, module.Invalid, module.ClassOf(err))
	b.requireLog(t, 0, "a")
}
