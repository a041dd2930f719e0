package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Coordination measures what coordinators do. It implements
// [coordinator.Observer]. Safe for concurrent use.
type Coordination struct {
	rebalances *prometheus.HistogramVec
	loads      prometheus.Histogram
	records    prometheus.Counter
	unreadable prometheus.Counter
}

// From milliseconds, which a group takes whose members are waiting for it, to
// the minutes of a rebalance timeout.
var rebalanceBuckets = prometheus.ExponentialBuckets(0.005, 3, 11)

// NewCoordination registers the instruments.
func NewCoordination(r prometheus.Registerer) *Coordination {
	c := &Coordination{
		rebalances: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "odradek_group_rebalance_seconds", Buckets: rebalanceBuckets,
			Help: "From the cause of a rebalance until all members have what they are to have, by type of the group.",
		}, []string{"type"}),
		loads: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "odradek_group_load_seconds", Buckets: rebalanceBuckets,
			Help: "Time to read one partition of __consumer_offsets before its groups are coordinated.",
		}),
		records: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "odradek_group_loaded_records_total", Help: "Records that were read for that.",
		}),
		unreadable: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "odradek_group_unreadable_records_total", Help: "Records of __consumer_offsets that were passed over since they are broken, of an unknown version or given up by offsets.topic.lost; the log says which.",
		}),
	}
	r.MustRegister(c.rebalances, c.loads, c.records, c.unreadable)
	return c
}

// Loaded counts a partition that was read.
func (c *Coordination) Loaded(records int, took time.Duration) {
	c.loads.Observe(took.Seconds())
	c.records.Add(float64(records))
}

// Unreadable counts records that were passed over.
func (c *Coordination) Unreadable(records int) { c.unreadable.Add(float64(records)) }

// Rebalanced counts a rebalance that is over.
func (c *Coordination) Rebalanced(groupType string, took time.Duration) {
	c.rebalances.WithLabelValues(groupType).Observe(took.Seconds())
}
