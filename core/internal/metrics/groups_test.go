package metrics

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/group"
	"odradek.dev/core/internal/group/offsets"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/replication"
)

// fakeGroups has groups by id, and logs that end at ends; the batch at an
// offset is of as many seconds as the offset says.
type fakeGroups struct {
	groups map[string]group.Overview
	ends   map[string][]int64
	image  *metadata.Image
	// read counts the headers that were read.
	read int
}

func (f *fakeGroups) Overviews() iter.Seq[group.Overview]       { return maps.Values(f.groups) }
func (f *fakeGroups) Loading() (partitions, failed int)         { return 3, 2 }
func (f *fakeGroups) EndOffsets(topic string) []int64           { return f.ends[topic] }
func (f *fakeGroups) Image() *metadata.Image                    { return f.image }
func (f *fakeGroups) Bounds(string, int32) (int64, int64, bool) { return 2, 20, true }

func (f *fakeGroups) BatchTime(_ string, _ int32, offset int64) (int64, bool) {
	f.read++
	return offset * 1000, true
}

// readers has committed 5 and 8 in topic orders, which ends at 20 and 8, and 1
// in a topic that is on another broker.
func readers() *fakeGroups {
	return &fakeGroups{
		groups: map[string]group.Overview{
			"readers": {ID: "readers", Type: "classic", State: "Stable", Members: 2, Offsets: map[string]map[int32]offsets.Committed{
				"orders": {0: {Offset: 5}, 1: {Offset: 8}}, "elsewhere": {0: {Offset: 1}},
			}},
			"idle": {ID: "idle", Type: "consumer", State: "Empty"},
		},
		ends: map[string][]int64{"orders": {20, 8}},
	}
}

func atSecond(n int64) func() time.Time { return func() time.Time { return time.Unix(n, 0) } }

// scraped is the series of a registry whose names begin so; of a histogram the
// count and the sum.
func scraped(t *testing.T, r prometheus.Gatherer, prefix string) string {
	t.Helper()
	families, err := r.Gather()
	require.NoError(t, err)
	var lines []string
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			series := func(suffix string, v float64) {
				if strings.HasPrefix(f.GetName(), prefix) {
					lines = append(lines, fmt.Sprintf("%s%s{%s} %v", f.GetName(), suffix, strings.Join(labels, ","), v))
				}
			}
			switch {
			case m.GetHistogram() != nil:
				series("_count", float64(m.GetHistogram().GetSampleCount()))
				series("_sum", m.GetHistogram().GetSampleSum())
			default:
				series("", m.GetGauge().GetValue()+m.GetCounter().GetValue())
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestGroups(t *testing.T) {
	r := prometheus.NewRegistry()
	RegisterGroups(r, readers(), atSecond(65), false)
	require.Equal(t, strings.TrimSpace(`
odradek_group_committed_offset_sum{group="readers"} 13
odradek_group_coordinators_failed{} 2
odradek_group_coordinators_loading{} 3
odradek_group_end_offset_sum{group="readers"} 28
odradek_group_lag_max{group="readers"} 15
odradek_group_lag_seconds_max{group="readers"} 60
odradek_group_lag_sum{group="readers"} 15
odradek_group_members{group="idle"} 0
odradek_group_members{group="readers"} 2
odradek_groups{state="Empty",type="consumer"} 1
odradek_groups{state="Stable",type="classic"} 1`), scraped(t, r, "odradek_"))
}

// What was committed beyond an end is no lag: it would hide that of others in a
// sum.
func TestNoLagIsNegative(t *testing.T) {
	f := readers()
	f.image, f.groups["readers"].Offsets["orders"][1] = oneTopic(t), offsets.Committed{Offset: 1000}
	for name, register := range map[string]func(*prometheus.Registry){
		"odradek_group_":       func(r *prometheus.Registry) { RegisterGroups(r, f, atSecond(65), true) },
		"kafka_consumergroup_": func(r *prometheus.Registry) { RegisterExporter(r, f) },
	} {
		r := prometheus.NewRegistry()
		register(r)
		lags := scraped(t, r, name)
		require.Regexp(t, `_lag_sum{.*} 15`, lags)
		require.Regexp(t, `_lag{.*partition="1",topic="orders"} 0`, lags)
	}
}

// An id may be any bytes; a label may not.
func TestEachIDIsALabelOfItsOwn(t *testing.T) {
	f := &fakeGroups{groups: map[string]group.Overview{}, image: metadata.Empty()}
	for _, id := range []string{"\xff\xfe", `"\xff\xfe"`, "\xff", "usual", "Ü"} {
		f.groups[id] = group.Overview{ID: id}
	}
	r := prometheus.NewRegistry()
	RegisterGroups(r, f, atSecond(65), true)
	require.Equal(t, strings.TrimSpace(`
odradek_group_members{group="\"\\\"\\\\xff\\\\xfe\\\"\""} 0
odradek_group_members{group="\"\\xff\""} 0
odradek_group_members{group="\"\\xff\\xfe\""} 0
odradek_group_members{group="usual"} 0
odradek_group_members{group="Ü"} 0`), scraped(t, r, "odradek_group_members"))
}

func TestPartitionsOfGroupsWhenAsked(t *testing.T) {
	r := prometheus.NewRegistry()
	RegisterGroups(r, readers(), atSecond(65), true)
	require.Equal(t, strings.TrimSpace(`
odradek_group_partition_committed_offset{group="readers",partition="0",topic="orders"} 5
odradek_group_partition_committed_offset{group="readers",partition="1",topic="orders"} 8
odradek_group_partition_end_offset{group="readers",partition="0",topic="orders"} 20
odradek_group_partition_end_offset{group="readers",partition="1",topic="orders"} 8
odradek_group_partition_lag_seconds{group="readers",partition="0",topic="orders"} 60
odradek_group_partition_lag_seconds{group="readers",partition="1",topic="orders"} 0
odradek_group_partition_lag{group="readers",partition="0",topic="orders"} 15
odradek_group_partition_lag{group="readers",partition="1",topic="orders"} 0`), scraped(t, r, "odradek_group_partition"))
}

func TestAScrapeReadsFewHeadersAndNoneTwice(t *testing.T) {
	many := map[int32]offsets.Committed{}
	ends := make([]int64, timesPerScrape+500)
	for i := range ends {
		many[int32(i)], ends[i] = offsets.Committed{Offset: 1}, 2
	}
	f := &fakeGroups{
		groups: map[string]group.Overview{"g": {ID: "g", Offsets: map[string]map[int32]offsets.Committed{"t": many}}},
		ends:   map[string][]int64{"t": ends},
	}
	r := prometheus.NewRegistry()
	RegisterGroups(r, f, atSecond(65), false)
	for _, want := range []int{timesPerScrape, timesPerScrape + 500, timesPerScrape + 500} {
		require.Contains(t, scraped(t, r, "odradek_"), `odradek_group_lag_seconds_max{group="g"} 64`)
		require.Equal(t, want, f.read)
	}
	many[0] = offsets.Committed{Offset: 0}
	scraped(t, r, "odradek_")
	require.Equal(t, timesPerScrape+501, f.read, "the group has moved in one partition")
}

func TestNothingIsReadBetweenScrapes(t *testing.T) {
	f := readers()
	RegisterGroups(prometheus.NewRegistry(), f, atSecond(65), true)
	require.Zero(t, f.read)
}

// oneTopic has topic orders, of which broker 2 has left broker 1 behind.
func oneTopic(t *testing.T) *metadata.Image {
	t.Helper()
	image := metadata.Empty()
	apply := func(records ...metadata.Record) {
		for _, r := range records {
			var err error
			image, err = metadata.Apply(image, image.Index()+1, r)
			require.NoError(t, err)
		}
	}
	apply(metadata.RegisterBroker(image, metadata.Broker{ID: 1, Epoch: 1, Listeners: []metadata.Endpoint{{Listener: "PLAINTEXT", Host: "::1", Port: 9092}}})...)
	rules := metadata.Rules{
		Live: []int32{1, 2},
		Settle: func(map[string]string) (metadata.Settled, error) {
			return metadata.Settled{Strategy: "isr", MinInSync: 1}, nil
		},
		Elect: func(_ context.Context, _ string, r replication.Record, _ replication.Liveness) (replication.Record, error) {
			r.Leader, r.Version, r.Replicas, r.InSync = 2, r.Version+1, []int32{1, 2}, []int32{2}
			return r, nil
		},
	}
	planned := metadata.CreateTopics(t.Context(), image, rules, []metadata.NewTopic{{ID: metadata.TopicID{1}, Name: "orders", Partitions: 1, ReplicationFactor: 2}})
	require.Nil(t, planned.Results[0].Refusal)
	apply(planned.Records...)
	return image
}

func TestKafkaExportersNames(t *testing.T) {
	image := oneTopic(t)
	f := readers()
	f.image = image
	r := prometheus.NewRegistry()
	RegisterExporter(r, f)
	require.Equal(t, strings.TrimSpace(`
kafka_broker_info{address="[::1]:9092",id="1"} 1
kafka_brokers{} 1
kafka_consumergroup_current_offset_sum{consumergroup="readers",topic="orders"} 13
kafka_consumergroup_current_offset{consumergroup="readers",partition="0",topic="orders"} 5
kafka_consumergroup_current_offset{consumergroup="readers",partition="1",topic="orders"} 8
kafka_consumergroup_lag_sum{consumergroup="readers",topic="orders"} 15
kafka_consumergroup_lag{consumergroup="readers",partition="0",topic="orders"} 15
kafka_consumergroup_lag{consumergroup="readers",partition="1",topic="orders"} 0
kafka_consumergroup_members{consumergroup="idle"} 0
kafka_consumergroup_members{consumergroup="readers"} 2
kafka_topic_partition_current_offset{partition="0",topic="orders"} 20
kafka_topic_partition_in_sync_replica{partition="0",topic="orders"} 1
kafka_topic_partition_leader_is_preferred{partition="0",topic="orders"} 0
kafka_topic_partition_leader{partition="0",topic="orders"} 2
kafka_topic_partition_oldest_offset{partition="0",topic="orders"} 2
kafka_topic_partition_replicas{partition="0",topic="orders"} 2
kafka_topic_partition_under_replicated_partition{partition="0",topic="orders"} 1
kafka_topic_partitions{topic="orders"} 1`), scraped(t, r, "kafka_"))

	f.image = nil
	require.Empty(t, scraped(t, r, "kafka_"), "the broker does not know its cluster yet")
}

func TestCoordination(t *testing.T) {
	r := prometheus.NewRegistry()
	c := NewCoordination(r)
	c.Loaded(1000, 20*time.Millisecond)
	c.Unreadable(2)
	c.Rebalanced("classic", 3*time.Second)
	c.Rebalanced("consumer", time.Second)
	c.Rebalanced("consumer", time.Second)
	all := scraped(t, r, "odradek_")
	for _, line := range []string{
		`odradek_group_rebalance_seconds_count{type="classic"} 1`, `odradek_group_rebalance_seconds_sum{type="classic"} 3`,
		`odradek_group_rebalance_seconds_count{type="consumer"} 2`, `odradek_group_load_seconds_count{} 1`, `odradek_group_loaded_records_total{} 1000`,
		`odradek_group_unreadable_records_total{} 2`,
	} {
		require.Contains(t, all, line)
	}
}
