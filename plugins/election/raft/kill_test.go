package raft

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/election"
)

// victimDir is the environment variable that makes the test binary the process
// that is killed: it appends to the log in that folder, for ever, and says on
// its standard output what was acknowledged.
const victimDir = "ODRADEK_TEST_RAFT_DIR"

func TestWhatWasAcknowledgedOutlivesSIGKILL(t *testing.T) {
	dir := t.TempDir()
	acknowledged := map[int64]string{}
	for round := range 6 {
		killAfter(t, dir, 40+round*53, acknowledged)
		r := start(t, dir)
		log := wholeLog(t, r)
		for index, text := range acknowledged {
			require.LessOrEqual(t, index, int64(len(log)), "entry %d was acknowledged and is lost", index)
			require.Equal(t, text, log[index-1])
		}
		for n := 0; n+1 < len(log); n += 2 {
			require.Equal(t, log[n]+"'", log[n+1], "an append is there in half")
		}
		stop(t, r)
	}
	require.Greater(t, len(acknowledged), 1000)
}

// killAfter runs a victim and kills it when it has said so many lines.
func killAfter(t *testing.T, dir string, lines int, acknowledged map[int64]string) {
	t.Helper()
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), victimDir+"="+dir)
	victim.Stderr = os.Stderr
	out, err := victim.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, victim.Start())
	said := bufio.NewScanner(out)
	for n := 0; said.Scan(); n++ {
		if n == lines {
			require.NoError(t, victim.Process.Kill())
		}
		var index int64
		var text string
		_, err := fmt.Sscan(said.Text(), &index, &text)
		require.NoError(t, err, said.Text())
		acknowledged[index] = text
	}
	require.Error(t, victim.Wait(), "it was killed")
}

// beVictim appends pairs from several goroutines and snapshots now and then.
func beVictim(dir string) {
	r, err := New(environment(dir), Config{SegmentBytes: minSegmentBytes})
	must(err)
	must(r.Start(context.Background()))
	known := election.Leadership{Leader: -1}
	for known.Leader == -1 {
		update, err := r.Follow(context.Background(), election.Follow{Leadership: known})
		must(err)
		known = update.Leadership
	}
	lines := make(chan string)
	for writer := range 4 {
		go func() {
			for n := 0; ; n++ {
				text := fmt.Sprintf("%d.%d.%d.%s", known.Epoch, writer, n, strings.Repeat("x", n%700))
				last, err := r.Append(context.Background(), known.Epoch, [][]byte{[]byte(text), []byte(text + "'")})
				must(err)
				lines <- fmt.Sprintf("%d %s\n", last-1, text)
			}
		}()
	}
	for n := 1; ; n++ {
		_, err := os.Stdout.WriteString(<-lines)
		must(err)
		if n%61 == 0 {
			snapshotNow(r)
		}
	}
}

func snapshotNow(r *Raft) {
	log := readLog(r)
	state, err := json.Marshal(log)
	must(err)
	must(r.SaveSnapshot(context.Background(), int64(len(log)), state))
}

// readLog returns all that is committed; a snapshot is a list of the entries
// that it stands for.
func readLog(r *Raft) []string {
	var log []string
	status, err := r.Status(context.Background())
	must(err)
	for int64(len(log)) < status.Committed {
		update, err := r.Follow(context.Background(), election.Follow{After: int64(len(log)), Leadership: status.Leadership, MaxBytes: 1 << 20})
		must(err)
		if update.Snapshot != nil {
			must(json.Unmarshal(update.Snapshot.State, &log))
		}
		for _, e := range update.Entries {
			log = append(log, string(e.Data))
		}
	}
	return log
}

func must(err error) {
	if err != nil {
		hclog.Default().Error("the victim failed by itself", "error", err)
		os.Exit(3)
	}
}
