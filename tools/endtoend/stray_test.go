package endtoend

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

// TestATopicThatTheMetadataForgotIsSetAsideWhenItIsMadeAgain has the metadata log
// lose its end, and with it a topic, which is then created again.
func TestATopicThatTheMetadataForgotIsSetAsideWhenItIsMadeAgain(t *testing.T) {
	metadata := filepath.Join(t.TempDir(), "metadata")
	b := startBroker(t, "-X", "metadata.log.dir="+metadata)
	again(t, b, func() error { return os.CopyFS(metadata+"-before", os.DirFS(metadata)) })
	orders := newTopic(t, b.Addr, "orders", 2, nil)
	for p := range int32(2) {
		code, _ := orders.produce(p, "of the first")
		require.Zero(t, code)
	}
	again(t, b, func() error { return os.RemoveAll(metadata) }, moved(metadata+"-before", metadata))
	require.Regexp(t, `log belongs to no topic and is left alone.*topic=orders`, b.Log())
	orders = newTopic(t, b.Addr, "orders", 2, nil)
	for range 2 {
		for p := range int32(2) {
			code, _ := orders.produce(p, "of the second")
			require.Zero(t, code)
		}
		again(t, b)
		orders = orders.known(b.Addr)
	}
	aside, err := filepath.Glob(filepath.Join(b.DataDir, "orders-?.*-stray"))
	require.NoError(t, err)
	require.Len(t, aside, 2)
	for p, folder := range aside {
		require.Regexp(t, `set aside and its data kept.*folder=`+folder, b.Log())
		content, err := os.ReadFile(filepath.Join(folder, "00000000000000000000.log"))
		require.NoError(t, err)
		require.Contains(t, string(content), "of the first")
		require.Equal(t, []string{"of the second", "of the second"}, orders.values(int32(p)))
	}
	described := dirsOf(t, orders.client)[b.DataDir]
	require.Len(t, described.Topics["orders"], 2, "what is set aside is no log of a topic")

	_, err = kadm.NewClient(orders.client).DeleteTopics(t.Context(), "orders")
	require.NoError(t, err)
	again(t, b)
	left, err := filepath.Glob(filepath.Join(b.DataDir, "orders-*"))
	require.NoError(t, err)
	require.Equal(t, aside, left, "a topic that is deleted is")
}

// TestALogWhoseTopicIDIsDamagedIsNotTakenForAnEarlierTopics turns over a bit of
// the id that the log's folder has.
func TestALogWhoseTopicIDIsDamagedIsNotTakenForAnEarlierTopics(t *testing.T) {
	b := startBroker(t)
	orders := newTopic(t, b.Addr, "orders", 2, nil)
	for p := range int32(2) {
		code, _ := orders.produce(p, "before")
		require.Zero(t, code)
	}
	file := filepath.Join(b.DataDir, "orders-1", "partition.metadata")
	right, err := os.ReadFile(file)
	require.NoError(t, err)
	wrong := bytes.Clone(right)
	if at := len(wrong) - 8; wrong[at] == 'A' {
		wrong[at] = 'B'
	} else {
		wrong[at] = 'A'
	}
	for range 2 {
		again(t, b, func() error { return os.WriteFile(file, wrong, 0o600) })
		orders = orders.known(b.Addr)
		code, _ := orders.fetch(1, 0)
		require.Equal(t, kerr.KafkaStorageError.Code, code)
		code, _ = orders.produce(1, "refused")
		require.Equal(t, kerr.KafkaStorageError.Code, code)
		require.Equal(t, []string{"before"}, orders.values(0))
	}
	require.Regexp(t, `\[ERROR\].*partitions=orders-1 .*`+file+` says that the log is of topic id`, b.Log())
	again(t, b, func() error { return os.WriteFile(file, right, 0o600) })
	require.Equal(t, []string{"before"}, orders.known(b.Addr).values(1))

	folder := filepath.Dir(file)
	again(t, b, func() error { return os.WriteFile(file, wrong, 0o600) })
	again(t, b, moved(folder, filepath.Join(t.TempDir(), "orders-1")))
	orders = orders.known(b.Addr)
	require.Empty(t, orders.values(1), "the other way out")
	code, _ := orders.produce(1, "new")
	require.Zero(t, code)
}

// TestAFileThatCannotBeUsedTakesNoMoreThanItsPartition has folders in the places
// of files.
func TestAFileThatCannotBeUsedTakesNoMoreThanItsPartition(t *testing.T) {
	b := startBroker(t)
	orders := newTopic(t, b.Addr, "orders", 8, nil)
	for p := range int32(8) {
		code, _ := orders.produce(p, "before")
		require.Zero(t, code)
	}
	again(t, b, func() error {
		for p, name := range []string{
			"00000000000000000000.log", "00000000000000000000.index", "00000000000000000000.timeindex",
			"00000000000000000001.snapshot", "leader-epoch-checkpoint", "partition.metadata",
		} {
			path := filepath.Join(b.DataDir, fmt.Sprintf("orders-%d", p), name)
			if err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Join(path, "mine"), 0o700)); err != nil {
				return err
			}
		}
		return nil
	})
	orders = orders.known(b.Addr)
	code, _ := orders.fetch(0, 0)
	require.Equal(t, kerr.KafkaStorageError.Code, code)
	require.Regexp(t, `\[ERROR\].*partition goes offline.*orders-0/00000000000000000000.log: is a directory`, b.Log())
	for p := int32(1); p < 8; p++ {
		require.Equal(t, []string{"before"}, orders.values(p))
		code, _ := orders.produce(p, "after")
		require.Zero(t, code)
	}
	again(t, b)
	orders = orders.known(b.Addr)
	for p := int32(1); p < 8; p++ {
		require.Equal(t, []string{"before", "after"}, orders.values(p))
	}
}
