package metrics

import (
	"fmt"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/group"
	"odradek.dev/core/internal/group/offsets"
)

// 10,000 groups with 100 offsets each, all of which lag.
func BenchmarkScrapeAMillionOffsets(b *testing.B) {
	f := &fakeGroups{groups: map[string]group.Overview{}, ends: map[string][]int64{"t": make([]int64, 100)}}
	for i := range f.ends["t"] {
		f.ends["t"][i] = 1000
	}
	for g := range 10_000 {
		committed := map[int32]offsets.Committed{}
		for p := range int32(100) {
			committed[p] = offsets.Committed{Offset: int64(p)}
		}
		id := fmt.Sprint("group-", g)
		f.groups[id] = group.Overview{ID: id, Type: "consumer", State: "Stable", Members: 1, Offsets: map[string]map[int32]offsets.Committed{"t": committed}}
	}
	r := prometheus.NewRegistry()
	RegisterGroups(r, f, atSecond(65), false)
	for b.Loop() {
		if _, err := r.Gather(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(f.read)/float64(b.N), "headers/op")
}
