package endtoend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/record"
)

// TestDamageInTheMiddleIsToldAndWhatFollowsIsServed flips a bit of one batch of
// many under a broker that was killed, so that it checks what it finds.
func TestDamageInTheMiddleIsToldAndWhatFollowsIsServed(t *testing.T) {
	b := startBroker(t)
	orders := newTopic(t, b.Addr, "orders", 1, nil)
	for i := range 9 {
		code, base := orders.produce(0, "a", "b")
		require.Zero(t, code)
		require.EqualValues(t, 2*i, base)
	}
	require.NoError(t, b.Kill())
	path := filepath.Join(b.DataDir, "orders-0", "00000000000000000000.log")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	position := 0
	for batch, rest, ok := record.Next(content); ok && batch.BaseOffset() < 8; batch, rest, ok = record.Next(rest) {
		position += batch.Size()
	}
	content[position+record.HeaderSize+3] ^= 0x10
	require.NoError(t, os.WriteFile(path, content, 0o644))
	require.NoError(t, b.Start(t.Context()))
	orders = orders.known(b.Addr)

	require.Regexp(t, `log is damaged.*log=orders-0.*segment=0 position=\d+ bytes=\d+ first=8 last=9`, b.Log())
	for offset := range int64(18) {
		code, batches := orders.fetch(0, offset)
		if offset == 8 || offset == 9 {
			require.Equal(t, kerr.CorruptMessage.Code, code, "offset %d", offset)
			continue
		}
		require.Zero(t, code, "offset %d", offset)
		require.NotEmpty(t, batches)
		require.Equal(t, offset/2*2, batches[0].BaseOffset())
	}
	require.Equal(t, 1, strings.Count(b.Log(), "[ERROR]"), "it is told once, not to each reader: %s", b.Log())
	code, base := orders.produce(0, "after")
	require.Zero(t, code)
	require.EqualValues(t, 18, base, "no offset is given out again")

	require.NoError(t, b.Stop())
	require.NoError(t, b.Start(t.Context()))
	orders = orders.known(b.Addr)
	code, _ = orders.fetch(0, 8)
	require.Equal(t, kerr.CorruptMessage.Code, code, "it is remembered after a clean stop")
	_, batches := orders.fetch(0, 10)
	require.Len(t, batches, 5)
}
