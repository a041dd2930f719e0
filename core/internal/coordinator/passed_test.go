package coordinator

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/sdk/record"
)

// counted is an observer that counts records.
type counted struct {
	mu                 sync.Mutex
	loaded, unreadable int
}

func (c *counted) Loaded(records int, _ time.Duration) { c.add(&c.loaded, records) }
func (c *counted) Unreadable(records int)              { c.add(&c.unreadable, records) }
func (c *counted) Rebalanced(string, time.Duration)    {}

func (c *counted) add(to *int, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*to += n
}

// listens has the house say what it logs and counts.
func (h *house) listens() (said *lines, seen *counted) {
	said, seen = &lines{}, &counted{}
	h.coordinator.Log = hclog.New(&hclog.LoggerOptions{Output: said, Level: hclog.Warn})
	h.coordinator.Observer = seen
	return said, seen
}

type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Count(l.text.Bytes(), []byte(what))
}

// writePairs puts records into the log as they are.
func (h *house) writePairs(pairs ...record.Pair) {
	h.t.Helper()
	topic, _ := h.partitions.TopicNamed(Topic)
	p, _ := topic.Partition(0)
	size := 0
	for _, pair := range pairs {
		size += len(pair.Key) + len(pair.Value)
	}
	outcome, decided := p.Append(record.AppendBatch(make([]byte, 0, record.BatchSize(size, len(pairs))), 1, pairs), -1, nil, 0)
	require.True(h.t, decided)
	require.Nil(h.t, outcome.Refusal)
}

func offsetOf(groupID string, offset int64) record.Pair {
	v := &grouplog.Offset{OffsetCommitValue: kmsg.NewOffsetCommitValue()}
	v.Offset, v.ExpireTimestamp = offset, -1
	_, key, value := grouplog.Encode(nil, grouplog.Record{Key: grouplog.OffsetKey{Group: groupID, Topic: "orders"}, Value: v})
	return record.Pair{Key: bytes.Clone(key), Value: bytes.Clone(value)}
}

// reload has the log read anew.
func (h *house) reload() {
	h.lead(2, 2)
	h.lead(1, 3)
	h.serves()
}

func TestRecordsThatCannotBeReadArePassedOver(t *testing.T) {
	h := newHouse(t)
	said, seen := h.listens()
	h.create("orders", 1)
	h.start()
	whole := offsetOf("g", 7)
	h.writePairs(
		offsetOf("g", 5),
		record.Pair{Key: []byte{0, 11, 0, 1, 's'}, Value: []byte{0, 0}}, // a share group
		record.Pair{Key: whole.Key, Value: whole.Value[:len(whole.Value)-3]},
		record.Pair{Key: whole.Key, Value: append([]byte{0, 99}, whole.Value[2:]...)},
		record.Pair{Key: []byte{}, Value: []byte("of nothing")},
		record.Pair{Key: whole.Key[:len(whole.Key)-2], Value: whole.Value},
		offsetOf("other", 9),
	)
	h.reload()

	require.EqualValues(t, 5, h.fetch("g", "orders"), "what was committed before")
	require.EqualValues(t, 9, h.fetch("other", "orders"))
	groups, kind := h.coordinator.List(kmsg.NewPtrListGroupsRequest())
	require.Nil(t, kind)
	require.Len(t, groups, 2)
	require.Equal(t, 2, seen.loaded)
	require.Equal(t, 4, seen.unreadable)
	for _, line := range []string{"offset=2 ", "offset=3 ", "offset=4 ", "offset=5 "} {
		require.Equal(t, 1, said.count(line), line)
	}
	require.Equal(t, 4, said.count("[ERROR]"))
	require.Equal(t, 1, said.count("version 99 is unknown"))
	require.Equal(t, 1, said.count("records=1"), "of a share group")

	require.Nil(t, committed(t, h.commit("g", "orders", 8)))
	h.lead(2, 4)
	h.lead(1, 5)
	h.serves()
	require.EqualValues(t, 8, h.fetch("g", "orders"))
}

func TestManyRecordsThatCannotBeReadAreFewLines(t *testing.T) {
	h := newHouse(t)
	said, seen := h.listens()
	h.create("orders", 1)
	h.start()
	pairs := make([]record.Pair, 1000)
	for i := range pairs {
		pairs[i] = record.Pair{Key: []byte{0, 1, 9}}
	}
	h.writePairs(pairs...)
	h.reload()
	require.Equal(t, 1000, seen.unreadable)
	require.Equal(t, mostFaults+1, said.count("[ERROR]"))
	require.Equal(t, 1, said.count("records=990"))
}
