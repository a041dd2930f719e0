package endtoend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/record"
	"odradek.dev/tools/internal/brokerproc"
)

// inSegments is a stopped broker with a topic of nine batches of two records, in
// segments of three, and the paths of the segments.
func inSegments(t *testing.T) (b *brokerproc.Broker, orders *topicClient, logs []string) {
	b = startBroker(t)
	orders = newTopic(t, b.Addr, "orders", 1, map[string]*string{"segment.bytes": kadm.StringPtr("1048576")})
	for range 9 {
		code, _ := orders.produce(0, strings.Repeat("a", 200<<10), strings.Repeat("b", 200<<10))
		require.Zero(t, code)
	}
	require.NoError(t, b.Stop())
	logs, err := filepath.Glob(filepath.Join(b.DataDir, "orders-0", "*.log"))
	require.NoError(t, err)
	require.Greater(t, len(logs), 3)
	return b, orders, logs
}

// lost requires that a consumer is told of the offsets from from to to, and gets
// all others of the 18.
func (c *topicClient) lost(from, to int64) {
	c.t.Helper()
	for offset := range int64(18) {
		code, batches := c.fetch(0, offset)
		if offset >= from && offset < to {
			require.Equal(c.t, kerr.CorruptMessage.Code, code, "offset %d", offset)
			continue
		}
		require.Zero(c.t, code, "offset %d", offset)
		require.NotEmpty(c.t, batches)
		require.Equal(c.t, offset/2*2, batches[0].BaseOffset())
	}
}

func TestASegmentThatIsEmptiedIsTold(t *testing.T) {
	b, orders, logs := inSegments(t)
	content, err := os.ReadFile(logs[1])
	require.NoError(t, err)
	first := record.Batch(content).BaseOffset()
	next, err := os.ReadFile(logs[2])
	require.NoError(t, err)
	require.NoError(t, os.Truncate(logs[1], 0))
	require.NoError(t, b.Start(t.Context()))
	require.Regexp(t, `log is damaged.*log=orders-0.*position=0 bytes=0`, b.Log())
	orders = orders.known(b.Addr)
	orders.lost(first, record.Batch(next).BaseOffset())
	code, base := orders.produce(0, "after")
	require.Zero(t, code)
	require.EqualValues(t, 18, base)
}

// TestABaseOffsetThatCannotBeIsTold turns over a bit that no CRC covers, in the
// last batch of a segment and in the last of the log.
func TestABaseOffsetThatCannotBeIsTold(t *testing.T) {
	b, orders, logs := inSegments(t)
	last := func(path string) (base int64) {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		position := 0
		for batch, rest, ok := record.Next(content); ok && len(rest) > 0; batch, rest, ok = record.Next(rest) {
			position += batch.Size()
		}
		base = record.Batch(content[position:]).BaseOffset()
		content[position+5] ^= 0x10
		require.NoError(t, os.WriteFile(path, content, 0o600))
		return base
	}
	base := last(logs[1])
	require.NoError(t, b.Start(t.Context()))
	orders = orders.known(b.Addr)
	orders.lost(base, base+2)
	require.NoError(t, b.Stop())
	require.EqualValues(t, 16, last(logs[len(logs)-1]))
	require.NoError(t, b.Start(t.Context()))
	orders = orders.known(b.Addr)
	code, _ := orders.fetch(0, 16)
	require.Equal(t, kerr.CorruptMessage.Code, code)
	require.Regexp(t, `log is damaged.*log=orders-0.*first=16 last=17`, b.Log())
	code, after := orders.produce(0, "after")
	require.Zero(t, code)
	require.EqualValues(t, 18, after, "no offset is given out again, and none is left out")
}
