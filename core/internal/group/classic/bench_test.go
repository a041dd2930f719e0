package classic

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// crowd is a stable group of so many members, and how they heartbeat.
func crowd(tb testing.TB, size int) (*Group, []*kmsg.HeartbeatRequest) {
	w := newTestWorld()
	w.settings.MaxSize, w.settings.InitialRebalanceDelayMs = int32(size), 0
	g := New("g", w)
	var all step.Output
	p := process{version: 3, protocols: []string{"range", "sticky"}, topics: []string{"t"}}
	for i := range size {
		g.Join(0, step.Token(i), step.Client{ID: "c"}, p.join(), &all)
	}
	g.Tick(0, &all)
	var beats []*kmsg.HeartbeatRequest
	for _, a := range all.Answers {
		p.take(a.Response)
		g.Sync(0, a.To, p.sync(1), &all)
		beats = append(beats, p.heartbeat())
	}
	require.Equal(tb, Stable, g.State())
	require.Equal(tb, size, g.Size())
	require.Equal(tb, 2*size, len(all.Answers))
	return g, beats
}

// BenchmarkHeartbeat has the members of a group heartbeat in turn.
func BenchmarkHeartbeat(b *testing.B) {
	for _, size := range []int{10, 1000} {
		b.Run(fmt.Sprintf("members=%d", size), func(b *testing.B) {
			g, beats := crowd(b, size)
			var out step.Output
			for now := int64(0); b.Loop(); now++ {
				out.Answers = out.Answers[:0]
				g.Heartbeat(now/1000, 1, beats[int(now)%size], &out)
			}
		})
	}
}

// BenchmarkRebalance has a new member join, everybody join again and sync, and
// the member leave: two rebalances.
func BenchmarkRebalance(b *testing.B) {
	for _, size := range []int{10, 1000} {
		b.Run(fmt.Sprintf("members=%d", size), func(b *testing.B) {
			g, beats := crowd(b, size)
			g.world.(*testWorld).settings.MaxSize++
			p := process{version: 3, protocols: []string{"range", "sticky"}, topics: []string{"t"}}
			for b.Loop() {
				var out step.Output
				g.Join(0, 1, step.Client{ID: "late"}, p.join(), &out)
				late := g.members.inOrder[size].id
				joinAndSync(g, beats, &out)
				g.Leave(0, 1, &kmsg.LeaveGroupRequest{MemberID: late}, &out)
				joinAndSync(g, beats, &out)
			}
		})
	}
}

func joinAndSync(g *Group, beats []*kmsg.HeartbeatRequest, out *step.Output) {
	p := process{version: 3, protocols: []string{"range", "sticky"}, topics: []string{"t"}}
	for _, b := range beats {
		p.id = b.MemberID
		g.Join(0, 1, step.Client{ID: "c"}, p.join(), out)
	}
	for _, b := range beats {
		p.id, p.generation = b.MemberID, g.Generation()
		g.Sync(0, 1, p.sync(1), out)
	}
}

// TestCrowd: a thousand members join and heartbeat, and all of them are gone at
// once.
func TestCrowd(t *testing.T) {
	g, beats := crowd(t, 1000)
	var out step.Output
	for i, b := range beats {
		g.Heartbeat(5000+int64(i), 1, b, &out)
	}
	require.EqualValues(t, 5000+simSessionMs, g.Deadline())
	requireWhole(t, g)
	g.Tick(5999+simSessionMs, &out)
	require.Equal(t, Empty, g.State())
	require.Equal(t, step.Never, g.Deadline())
	requireWhole(t, g)
}
