package endtoend

import (
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/plugins/election/raft"
	"odradek.dev/sdk/election"
	sdk "odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// raftOn is the raft election on another file system. The records themselves do
// not go through it, but what is noted of each does.
func raftOn(files vfs.FS) sdk.Factory {
	build := func(env sdk.Env, _ noSettings) (election.Election, error) {
		env.FS = files
		made, err := raft.Factory().New(env, nil)
		if err != nil {
			return nil, err
		}
		return made.(election.Election), nil
	}
	return election.Module(raft.Factory().Descriptor(), func() noSettings { return noSettings{} }, build)
}

func apartFrom(root string) []string {
	return []string{"log.dirs=" + filepath.Join(root, "data"), "metadata.log.dir=" + filepath.Join(root, "metadata")}
}

// TestAFullDiskOfTheMetadataRefusesChangesAndRecovers has no room for changes,
// neither while the broker runs nor at its next start.
func TestAFullDiskOfTheMetadataRefusesChangesAndRecovers(t *testing.T) {
	root := t.TempDir()
	space := vfs.NewSpace(1 << 40)
	b := startOn(t, raftOn(vfs.WithFaults(vfs.OS(), space.Inject)), apartFrom(root)...)
	orders := newTopic(t, b.addr(), "orders", 1, nil)
	admin := kadm.NewClient(orders.client)
	space.Set(0)
	for range 3 {
		created, err := admin.CreateTopic(t.Context(), 1, 1, nil, "refused")
		require.ErrorIs(t, err, kerr.KafkaStorageError)
		require.True(t, kerr.IsRetriable(err))
		require.Contains(t, created.ErrMessage, "no space left on device: make room")
		deleted, err := admin.DeleteTopic(t.Context(), "orders")
		require.ErrorIs(t, err, kerr.KafkaStorageError, "%+v", deleted)
	}
	id, err := kmsg.NewPtrInitProducerIDRequest().RequestWith(t.Context(), orders.broker())
	require.NoError(t, err)
	require.True(t, kerr.IsRetriable(kerr.ErrorForCode(id.ErrorCode)), "code %d", id.ErrorCode)
	code, _ := orders.produce(0, "a")
	require.Zero(t, code, "records have room")
	require.Equal(t, []string{"a"}, orders.values(0))

	space.Set(1 << 40)
	createdInTime := func(name string) {
		require.Eventually(t, func() bool {
			_, err := admin.CreateTopic(t.Context(), 1, 1, nil, name)
			return err == nil
		}, time.Minute, 5*time.Millisecond)
	}
	createdInTime("after")
	require.NoError(t, b.stop())

	space.Set(0)
	var refused atomic.Int32
	until := func(op vfs.Op) error {
		err := space.Inject(op)
		if err != nil && refused.Add(1) == 2 {
			space.Set(1 << 40)
		}
		return err
	}
	b = startOn(t, raftOn(vfs.WithFaults(vfs.OS(), until)), apartFrom(root)...)
	require.EqualValues(t, 2, refused.Load(), "the start waited for room")
	orders = orders.known(b.addr())
	require.Equal(t, []string{"a"}, orders.values(0))
	admin = kadm.NewClient(orders.client)
	createdInTime("again")
	topics, err := admin.ListTopics(t.Context())
	require.NoError(t, err)
	require.Subset(t, topics.Names(), []string{"orders", "after", "again"})
	require.NoError(t, b.stop())
}

// TestADiskOfTheMetadataThatFailsEndsTheBroker has no broker go on that cannot
// learn what the cluster decides.
func TestADiskOfTheMetadataThatFailsEndsTheBroker(t *testing.T) {
	root := t.TempDir()
	disks := &failingDisks{}
	b := startOn(t, raftOn(vfs.WithFaults(vfs.OS(), disks.inject)), apartFrom(root)...)
	orders := newTopic(t, b.addr(), "orders", 1, nil)
	disks.fail("recovery-point")
	_, err := kadm.NewClient(orders.client).CreateTopic(t.Context(), 1, 1, nil, "lost")
	require.Error(t, err)
	select {
	case <-b.ended:
		require.ErrorContains(t, b.result, "the metadata log cannot be followed")
		require.ErrorContains(t, b.result, syscall.EIO.Error())
		require.ErrorContains(t, b.result, filepath.Join(root, "metadata"))
	case <-time.After(time.Minute):
		t.Fatal("a broker without its metadata log goes on")
	}
	b = startOn(t, raftOn(vfs.OS()), apartFrom(root)...)
	orders = orders.known(b.addr())
	require.Empty(t, orders.values(0))
	require.NoError(t, b.stop())
}
