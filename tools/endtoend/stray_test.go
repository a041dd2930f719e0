package endtoend

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
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
