package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/partition"
)

// logs collects sums over all partitions, when it is scraped: a series for each
// partition would be more than a scrape can carry.
type logs struct {
	stats func() partition.Stats

	topics, partitions, offline, bytes, endOffsets, directories, offlineDirectories *prometheus.Desc
}

// RegisterLogs puts the partitions' logs into r.
func RegisterLogs(r prometheus.Registerer, stats func() partition.Stats) {
	describe := func(name, help string) *prometheus.Desc { return prometheus.NewDesc(name, help, nil, nil) }
	r.MustRegister(&logs{
		stats:       stats,
		topics:      describe("odradek_topics", "Topics of which this broker has partitions."),
		partitions:  describe("odradek_partitions", "Partitions that this broker has."),
		offline:     describe("odradek_partitions_offline", "Partitions that stopped serving after an error."),
		bytes:       describe("odradek_log_bytes", "Bytes of all logs."),
		directories: describe("odradek_log_directories", "Directories of log.dirs."),
		offlineDirectories: describe("odradek_log_directories_offline",
			"Directories of log.dirs that have failed and are not served from: Kafka's OfflineLogDirectoryCount."),
		endOffsets: describe("odradek_log_end_offset_sum", "Sum of all log end offsets: its growth is the records appended."),
	})
}

func (l *logs) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{l.topics, l.partitions, l.offline, l.bytes, l.endOffsets, l.directories, l.offlineDirectories} {
		ch <- d
	}
}

func (l *logs) Collect(ch chan<- prometheus.Metric) {
	s := l.stats()
	gauge := func(d *prometheus.Desc, v float64) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v)
	}
	gauge(l.topics, float64(s.Topics))
	gauge(l.partitions, float64(s.Partitions))
	gauge(l.offline, float64(s.Offline))
	gauge(l.bytes, float64(s.Bytes))
	gauge(l.endOffsets, float64(s.EndOffsets))
	gauge(l.directories, float64(s.Directories))
	gauge(l.offlineDirectories, float64(s.OfflineDirectories))
}
