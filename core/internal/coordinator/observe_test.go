package coordinator

import (
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Whatever a client calls its group, what is logged of it is one line in which
// nothing is hidden.
func TestANoteIsOneLine(t *testing.T) {
	for _, c := range []struct{ group, logged string }{
		{"a\n2026-11-30 [ERROR] odradek: b", `a\n2026-11-30 [ERROR] odradek: b`},
		{"\x1b[31mred", `\x1b[31mred`},
		{"\xff\xfe", `\xff\xfe`},
		{"bücher 1", "bücher 1"},
	} {
		h, said := newHouse(t), &lines{}
		h.coordinator.Log = hclog.New(&hclog.LoggerOptions{Output: said, Level: hclog.Info})
		h.create("orders", 1)
		h.start()
		joined := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat(c.group, "m", 0, "orders"))
		require.Zero(t, joined.ErrorCode)
		require.Eventually(t, func() bool { return said.count("group "+c.logged+": assignor") == 1 }, time.Minute, time.Millisecond, c.logged)
	}
}
