package electiontest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireState reads from the beginning and expects state and entries together
// to be the whole. A module need not forget what a snapshot stands for.
func (b *broker) requireState(t *testing.T, whole string) {
	t.Helper()
	snapshot, entries := b.log(t, 0)
	state := ""
	if snapshot != nil {
		state = string(snapshot.State)
	}
	require.Equal(t, whole, state+strings.Join(texts(entries), ""))
}

func snapshots(t *testing.T, b *broker) {
	b.append(t, "a")
	at := b.append(t, "b")
	require.NoError(t, b.SaveSnapshot(t.Context(), at, []byte("ab")))
	b.requireState(t, "ab")
	b.requireLog(t, at)
	require.EqualValues(t, 4, b.append(t, "c", "d"))
	b.requireState(t, "abcd")
	b.requireLog(t, at, "c", "d")
	b.requireLog(t, 3, "d")
}

func snapshotsInside(t *testing.T, b *broker) {
	b.append(t, "a")
	require.EqualValues(t, 5, b.append(t, "b", "c", "d", "e"))
	require.NoError(t, b.SaveSnapshot(t.Context(), 3, []byte("abc")))
	b.requireState(t, "abcde")
	b.restart(t)
	b.requireState(t, "abcde")
	b.requireLog(t, 3, "d", "e")
	require.NoError(t, b.SaveSnapshot(t.Context(), 4, []byte("abcd")))
	require.EqualValues(t, 6, b.append(t, "f"))
	b.restart(t)
	b.requireState(t, "abcdef")
}

func snapshotsRestart(t *testing.T, b *broker) {
	whole := ""
	for _, letter := range strings.Split("abcdefghijklmnop", "") {
		last := b.append(t, letter)
		whole += letter
		require.EqualValues(t, len(whole), last)
		if last%3 == 0 {
			require.NoError(t, b.SaveSnapshot(t.Context(), last, []byte(whole)))
		}
		if last%4 == 0 {
			b.restart(t)
		}
		b.requireState(t, whole)
	}
}

func ignoresOlder(t *testing.T, b *broker) {
	b.append(t, "a", "b", "c")
	require.NoError(t, b.SaveSnapshot(t.Context(), 3, []byte("abc")))
	require.NoError(t, b.SaveSnapshot(t.Context(), 2, []byte("ab")))
	require.NoError(t, b.SaveSnapshot(t.Context(), 3, []byte("abc")))
	b.append(t, "d")
	b.requireState(t, "abcd")
	b.restart(t)
	b.requireState(t, "abcd")
}
