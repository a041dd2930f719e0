package segment

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// again is the topic of the same name that was created later.
var again = storage.ID{Topic: topic.Topic, TopicID: [16]byte{9}, Partition: topic.Partition}

// told mounts and has what the engine says in what it returns.
func told(t *testing.T, files vfs.FS) (*opened, *bytes.Buffer) {
	t.Helper()
	log := new(bytes.Buffer)
	o := &opened{t: t, files: files, clock: clock.NewFake(time.UnixMilli(1_000_000))}
	o.engine = newEngine(module.Env{
		Clock: o.clock, FS: files, Node: 1, Seed: 7, Log: hclog.New(&hclog.LoggerOptions{Output: log}),
	}, Defaults())
	var err error
	o.mounted, err = o.engine.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
	require.NoError(t, err)
	return o, log
}

func (o *opened) openAs(id storage.ID) (err error) {
	o.log, o.recovery, err = o.engine.Open(o.t.Context(), storage.Open{Dir: "/data", ID: id, Config: small()})
	return err
}

// strays are the folders in /data that were set aside.
func strays(t *testing.T, files vfs.FS) (paths []string) {
	t.Helper()
	entries, err := files.ReadDir("/data")
	require.NoError(t, err)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), straySuffix) {
			require.Regexp(t, regexp.MustCompile(`^orders-0\.[0-9a-f]{32}-stray$`), e.Name())
			paths = append(paths, filepath.Join("/data", e.Name()))
		}
	}
	return paths
}

func TestTheLogOfAnEarlierTopicIsSetAsideAndKept(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	for range 20 {
		o.append(3, 3)
	}
	want := o.content(0)
	require.NoError(t, o.log.Trim(t.Context(), 7))
	o.stop()

	o, log := told(t, disk)
	require.NoError(t, o.openAs(again))
	require.Equal(t, storage.Bounds{}, o.bounds(), "the checkpoints say nothing of this log")
	later := []byte(o.append(0, 2))
	aside := strays(t, disk)
	require.Len(t, aside, 1)
	require.Equal(t, 1, strings.Count(log.String(), "[WARN]"), log)
	require.Contains(t, log.String(), "folder="+aside[0])
	require.Contains(t, log.String(), "topic_id="+encodeID(topic.TopicID))
	o.stop()

	o, log = told(t, disk)
	require.Equal(t, []storage.ID{again}, o.mounted.Logs, "what is set aside is no log")
	require.Contains(t, log.String(), "first="+aside[0])
	require.NoError(t, o.openAs(again))
	require.Equal(t, later, o.content(0))
	require.NoError(t, o.log.Close(t.Context()))
	require.NoError(t, o.engine.Remove(t.Context(), "/data", again))
	o.stop()
	require.Equal(t, aside, strays(t, disk), "a removal takes the topic's own log")

	require.NoError(t, disk.Rename(aside[0], "/data/orders-0"))
	o, _ = told(t, disk)
	require.NoError(t, o.openAs(topic))
	require.Equal(t, want, o.content(0), "all of it is there, to be had back")
}

// TestSettingAsideOutlastsAPowerCut cuts the power as soon as the later log is
// there, and after it has a batch that is durable.
func TestSettingAsideOutlastsAPowerCut(t *testing.T) {
	for _, synced := range []bool{false, true} {
		disk := vfs.NewMem()
		o := start(t, disk, small())
		o.append(3, 3)
		o.stop()
		o, _ = told(t, disk)
		require.NoError(t, o.openAs(again))
		if synced {
			o.append(0, 2)
			_, err := o.log.Sync(t.Context())
			require.NoError(t, err)
		}
		cut := disk.CrashClone(vfs.KeepNone, 1)
		require.Len(t, strays(t, cut), 1)
		o, _ = told(t, cut)
		require.NoError(t, o.openAs(again))
		require.Equal(t, synced, o.bounds().End == 2)
	}
}

// A log that could not be set aside is not taken for the later one.
func TestAFailureToSetAsideKeepsTheLogsApart(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	want := []byte(o.append(3, 3))
	o.stop()
	o, _ = told(t, vfs.WithFaults(disk, vfs.FailNth(vfs.OpRename, "orders-0", 1, syscall.ENOSPC)))
	require.ErrorIs(t, o.openAs(again), storage.ErrFull)
	require.Empty(t, strays(t, disk))
	require.NoError(t, o.openAs(again))
	require.Zero(t, o.bounds().End)
	aside := strays(t, disk)
	require.Len(t, aside, 1)
	kept, _, err := readFile(disk, filepath.Join(aside[0], offsetName(0, logSuffix)))
	require.NoError(t, err)
	require.Equal(t, want, kept)
}
