package spawn

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// isOver has the time of an output be over before anybody has read it.
func isOver(t *testing.T, o *Output) {
	t.Helper()
	require.NoError(t, o.endBy(time.Unix(1, 0)))
}

func TestLastWordsAreHeardHoweverLate(t *testing.T) {
	child, err := Prepare(Config{Path: "/bin/sh", Args: []string{"-c", "echo said; echo last words >&2"}})
	require.NoError(t, err)
	require.NoError(t, child.Start(nil))
	<-child.Exited()
	require.False(t, child.WasKilled())
	for want, output := range map[string]*Output{"said\n": child.Stdout, "last words\n": child.Stderr} {
		isOver(t, output)
		heard, err := io.ReadAll(output)
		require.NoError(t, err)
		require.Equal(t, want, string(heard))
		require.NoError(t, output.Close())
	}
}

// Somebody whom the child has started holds its output open, and goes on.
func TestOutputThatDoesNotEndIsLeft(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	o := newOutput(read)
	isOver(t, o)
	said := strings.Repeat("on and ", 1000)
	for heard := ""; len(heard) < mostLeft; {
		_, err := write.WriteString(said)
		require.NoError(t, err)
		more, err := io.ReadAll(o)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded, "it does not wait for more")
		heard += string(more)
		require.Equal(t, strings.Repeat(said, mostLeft/len(said)+1)[:len(heard)], heard)
	}
	_, err = write.WriteString("and on")
	require.NoError(t, err)
	more, err := io.ReadAll(o)
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.Empty(t, more)
	require.NoError(t, write.Close())
	require.NoError(t, o.Close())
}
