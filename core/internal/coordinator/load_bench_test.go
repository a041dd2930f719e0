package coordinator

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
)

// BenchmarkLoad reads the log of a million commits, as after a failover. How
// many of them are of the same partition of the same group decides how much
// stays in memory.
func BenchmarkLoad(b *testing.B) {
	for _, groups := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("million-commits/groups=%d", groups), func(b *testing.B) {
			h := newHouse(b).start()
			h.writeCommits(1_000_000, groups)
			s := h.shard()
			b.ReportAllocs()
			for b.Loop() {
				o := s.read(0)
				require.NoError(b, o.err)
				require.Equal(b, 1_000_000, o.records)
			}
		})
	}
}

// writeCommits writes commits of groups that have ten partitions each.
func (h *house) writeCommits(count, groups int) {
	topic, _ := h.partitions.TopicNamed(Topic)
	p, _ := topic.Partition(0)
	var records []grouplog.Record
	for i := range count {
		v := &grouplog.Offset{OffsetCommitValue: kmsg.NewOffsetCommitValue()}
		v.Offset, v.ExpireTimestamp = int64(i), -1
		k := grouplog.OffsetKey{Group: fmt.Sprintf("group-%d", i%groups), Topic: "orders", Partition: int32(i / groups % 10)}
		if records = append(records, grouplog.Record{Key: k, Value: v}); len(records) < 5000 && i+1 < count {
			continue
		}
		for batch := range new(batchRoom).batches(records, 1) {
			outcome, decided := p.Append(batch, -1, nil, 0)
			require.True(h.t, decided)
			require.Nil(h.t, outcome.Refusal)
		}
		records = records[:0]
	}
}

// BenchmarkMemory reports what groups take in memory. What the fakes below keep
// of the log is in it.
func BenchmarkMemory(b *testing.B) {
	for _, size := range []struct {
		groups, members int
		partitions      int32
	}{{1, 1000, 1000}, {10_000, 1, 10}} {
		for _, protocol := range []string{"classic", "consumer"} {
			b.Run(fmt.Sprintf("groups=%d/members=%d/%s", size.groups, size.members, protocol), func(b *testing.B) {
				for b.Loop() {
					h := newHouse(b)
					h.create("orders", size.partitions)
					h.start()
					before := heap()
					h.fill(size.groups, size.members, protocol)
					grown := float64(heap() - before)
					b.ReportMetric(grown/float64(size.groups), "bytes/group")
					b.ReportMetric(grown/float64(size.groups*size.members), "bytes/member")
				}
			})
		}
	}
}

func (h *house) fill(groups, members int, protocol string) {
	for g := range groups {
		id := fmt.Sprintf("group-%d", g)
		for m := range members {
			if protocol == "consumer" {
				h.beat(id, fmt.Sprintf("0f8fad5b-d9cb-469f-a165-%012d", m), 0, "orders")
				continue
			}
			h.join(id, answerOf[*kmsg.JoinGroupResponse](h.t, h.join(id, "")).MemberID)
		}
	}
	s := h.shard()
	require.Eventually(h.t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.machine.List(kmsg.NewPtrListGroupsRequest())) == groups
	}, time.Minute, time.Millisecond)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
