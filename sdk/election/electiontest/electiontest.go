// Package electiontest is the conformance suite of election modules.
package electiontest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/election"
)

// Open starts an election of one broker over what the folder holds, which is
// empty the first time. The suite calls stop once, possibly to open the same
// folder again.
type Open func(t *testing.T, dir string) (e election.Election, stop func())

// patience is how long the suite waits for what must happen at once.
const patience = time.Minute

// Run holds the elections that open makes to the contract of sdk/election.
func Run(t *testing.T, open Open) {
	for name, test := range map[string]func(*testing.T, *broker){
		"a broker alone leads":                         leads,
		"entries are numbered on from one":             numbers,
		"data is kept as it was given":                 keepsData,
		"an append is whole":                           appendsWhole,
		"another epoch than the leader's is fenced":    fences,
		"an append of nothing is invalid":              refusesNothing,
		"follow answers within its bytes":              boundsBytes,
		"follow waits until something is committed":    wakes,
		"follow tells of the leader that it has found": tellsLeadership,
		"calls end with their context":                 endsWithContext,
		"a restart keeps entries and raises the epoch": restarts,
		"a snapshot takes the place of entries":        snapshots,
		"a snapshot may end inside of an append":       snapshotsInside,
		"a snapshot outlives a restart":                snapshotsRestart,
		"a snapshot of the future is invalid":          refusesFuture,
		"an older snapshot changes nothing":            ignoresOlder,
		"the status agrees with the log":               status,
	} {
		t.Run(name, func(t *testing.T) { test(t, newBroker(t, open)) })
	}
}

// broker is what a test does with one election.
type broker struct {
	election.Election
	open Open
	dir  string
	stop func()
	// epoch is that under which it leads.
	epoch int64
}

func newBroker(t *testing.T, open Open) *broker {
	b := &broker{open: open, dir: t.TempDir()}
	b.start(t)
	t.Cleanup(func() { b.stop() })
	return b
}

// start opens the folder and waits until the broker leads and knows it.
func (b *broker) start(t *testing.T) {
	t.Helper()
	b.Election, b.stop = b.open(t, b.dir)
	known := election.Leadership{Leader: -1}
	for known.Leader < 0 {
		update := b.follow(t, election.Follow{Leadership: known, MaxBytes: 1 << 20})
		require.True(t, update.Leadership != known || len(update.Entries) > 0 || update.Snapshot != nil, "follow answered with nothing")
		known = update.Leadership
	}
	b.epoch = known.Epoch
}

func (b *broker) restart(t *testing.T) {
	t.Helper()
	b.stop()
	b.start(t)
}

func (b *broker) follow(t *testing.T, f election.Follow) election.Update {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	update, err := b.Follow(ctx, f)
	require.NoError(t, err)
	return update
}

// append writes entries and returns the index of the last.
func (b *broker) append(t *testing.T, entries ...string) int64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	last, err := b.Append(ctx, b.epoch, blobs(entries))
	require.NoError(t, err)
	return last
}

// leadership is what a follower would be told now.
func (b *broker) leadership(t *testing.T) election.Leadership {
	t.Helper()
	s, err := b.Status(t.Context())
	require.NoError(t, err)
	return s.Leadership
}

// log reads everything after an index that is committed now: the snapshot, if
// one takes the place of entries, and the entries.
func (b *broker) log(t *testing.T, after int64) (*election.Snapshot, []election.Entry) {
	t.Helper()
	var snapshot *election.Snapshot
	var entries []election.Entry
	s, err := b.Status(t.Context())
	require.NoError(t, err)
	for after < s.Committed {
		update := b.follow(t, election.Follow{After: after, Leadership: s.Leadership, MaxBytes: 1 << 20})
		if update.Snapshot != nil {
			require.Nil(t, snapshot, "a second snapshot came")
			require.Greater(t, update.Snapshot.Index, after)
			snapshot, after = update.Snapshot, update.Snapshot.Index
		}
		for _, e := range update.Entries {
			require.Equal(t, after+1, e.Index, "entries follow without a gap")
			after = e.Index
		}
		entries = append(entries, update.Entries...)
		require.GreaterOrEqual(t, update.Committed, after)
	}
	return snapshot, entries
}

func (b *broker) requireLog(t *testing.T, after int64, want ...string) {
	t.Helper()
	snapshot, entries := b.log(t, after)
	require.Nil(t, snapshot)
	require.Equal(t, want, texts(entries))
}

func blobs(texts []string) [][]byte {
	out := make([][]byte, len(texts))
	for n, text := range texts {
		out[n] = []byte(text)
	}
	return out
}

func texts(entries []election.Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, string(e.Data))
	}
	return out
}

// numbered is count texts: prefix0, prefix1, ...
func numbered(prefix string, count int) []string {
	out := make([]string, count)
	for n := range out {
		out[n] = fmt.Sprintf("%s%d", prefix, n)
	}
	return out
}
