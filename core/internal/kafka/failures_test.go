package kafka

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

// Clients that ask again and again for what cannot be answered do not fill the
// log: of each kind there is one line a second, with how many it stands for.
func TestFailuresHaveALineASecond(t *testing.T) {
	var log strings.Builder
	fake := clock.NewFake(time.Unix(1000, 0))
	b := &Backend{Clock: fake, Log: hclog.New(&hclog.LoggerOptions{Output: &log, DisableTime: true})}
	fail := func(times int) {
		for range times {
			b.failed("lookup failed", "partition", 3, "error", errors.New("no disk"))
		}
	}
	fail(5)
	b.failed("epochs are not readable", "error", errors.New("no disk"))
	fake.Advance(time.Second - 1)
	fail(2)
	fake.Advance(1)
	fail(1)
	fake.Advance(time.Minute)
	fail(2)
	require.Equal(t, []string{
		`[ERROR] lookup failed: partition=3 error="no disk" unlogged=0`,
		`[ERROR] epochs are not readable: error="no disk" unlogged=0`,
		`[ERROR] lookup failed: partition=3 error="no disk" unlogged=6`,
		`[ERROR] lookup failed: partition=3 error="no disk" unlogged=0`,
	}, strings.Split(strings.TrimSpace(log.String()), "\n"))
}

func TestLookupsThatFailHaveALineASecond(t *testing.T) {
	fake := clock.NewFake(time.Now()) // sockets have the real time
	b := newTestBroker(t, func(_ *config.Broker, tb *testBroker) { tb.clock = fake })
	id := b.create(t, "orders", 1, nil)
	b.append(t, "orders", 0, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(3, 1000)}))
	require.NoError(t, b.engine.Log(storage.ID{Topic: "orders", TopicID: id}).Damage(0))
	client := b.dial(t)
	for range 20 {
		require.NotZero(t, client.listOffset(7, "orders", -1, 1001).ErrorCode)
	}
	require.Equal(t, 1, strings.Count(b.log.String(), "lookup by time failed"))
	fake.Advance(time.Second)
	client.listOffset(7, "orders", -1, 1001)
	require.Contains(t, b.log.String(), "unlogged=19")
}
