package coordinator

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatGroupsTakeInMemory holds groups to three times what BenchmarkMemory
// showed when it was last looked at; doc.go says how much that was.
func TestWhatGroupsTakeInMemory(t *testing.T) {
	for name, test := range map[string]struct {
		protocol        string
		groups, members int
		partitions      int32
		most            int64 // bytes a member
	}{
		"one large group, classic":    {"classic", 1, 1000, 1000, 2400},
		"one large group, consumer":   {"consumer", 1, 1000, 1000, 2900},
		"many small groups, classic":  {"classic", 1000, 1, 10, 5100},
		"many small groups, consumer": {"consumer", 1000, 1, 10, 12_000},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.create("orders", test.partitions)
			h.start()
			before := heap()
			h.fill(test.groups, test.members, test.protocol)
			grown := heap() - before
			t.Logf("%d bytes a member", grown/int64(test.groups*test.members))
			require.Positive(t, grown)
			require.Less(t, grown/int64(test.groups*test.members), test.most)
		})
	}
}
