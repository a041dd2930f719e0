package metrics

import (
	"iter"
	"net"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/group"
	"odradek.dev/core/internal/metadata"
)

// ExporterSource is what kafka_exporter's names are filled from, when somebody
// scrapes.
type ExporterSource interface {
	// Image is nil before the broker knows its cluster.
	Image() *metadata.Image
	// Bounds are the log start offset and the high watermark of a partition;
	// false if it is not on this broker.
	Bounds(topic string, partition int32) (start, end int64, ok bool)
	Overviews() iter.Seq[group.Overview]
	EndOffsets(topic string) []int64
}

// exporter has the names, labels and values of kafka_exporter, for dashboards
// that were made for it.
type exporter struct {
	source ExporterSource

	brokers, brokerInfo, partitions, current, oldest, leader, preferred, replicas, inSync, under *prometheus.Desc
	groupOffset, groupOffsetSum, groupLag, groupLagSum, groupMembers                             *prometheus.Desc
}

// RegisterExporter puts topics and groups into r under kafka_exporter's names.
func RegisterExporter(r prometheus.Registerer, source ExporterSource) {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("kafka_"+name, help, labels, nil)
	}
	partition := func(name, help string) *prometheus.Desc {
		return describe("topic_partition_"+name, help, "topic", "partition")
	}
	r.MustRegister(&exporter{
		source:         source,
		brokers:        describe("brokers", "Brokers of the cluster."),
		brokerInfo:     describe("broker_info", "A broker and its address.", "id", "address"),
		partitions:     describe("topic_partitions", "Partitions of the topic.", "topic"),
		current:        partition("current_offset", "High watermark of the partition."),
		oldest:         partition("oldest_offset", "Log start offset of the partition."),
		leader:         partition("leader", "Broker that leads the partition, -1 for none."),
		preferred:      partition("leader_is_preferred", "1 if the first of the replicas leads the partition."),
		replicas:       partition("replicas", "Replicas of the partition."),
		inSync:         partition("in_sync_replica", "Replicas of the partition that are in sync."),
		under:          partition("under_replicated_partition", "1 if a replica of the partition is not in sync."),
		groupOffset:    describe("consumergroup_current_offset", "Offset that the group has committed.", "consumergroup", "topic", "partition"),
		groupOffsetSum: describe("consumergroup_current_offset_sum", "Sum of the offsets that the group has committed in the topic.", "consumergroup", "topic"),
		groupLag:       describe("consumergroup_lag", "Records that the group has yet to consume; 0 if the log is shorter than what it has committed, where kafka_exporter itself has a negative lag.", "consumergroup", "topic", "partition"),
		groupLagSum:    describe("consumergroup_lag_sum", "Records of the topic that the group has yet to consume. A partition whose log is shorter than what the group has committed counts as 0, so that it hides no lag of others; kafka_exporter itself subtracts it.", "consumergroup", "topic"),
		groupMembers:   describe("consumergroup_members", "Members of the group.", "consumergroup"),
	})
}

func (e *exporter) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		e.brokers, e.brokerInfo, e.partitions, e.current, e.oldest, e.leader, e.preferred, e.replicas, e.inSync, e.under,
		e.groupOffset, e.groupOffsetSum, e.groupLag, e.groupLagSum, e.groupMembers,
	} {
		ch <- d
	}
}

// emit writes one gauge.
type emit func(d *prometheus.Desc, v int64, labels ...string)

func (e *exporter) Collect(ch chan<- prometheus.Metric) {
	image := e.source.Image()
	if image == nil {
		return
	}
	gauge := func(d *prometheus.Desc, v int64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(v), labels...)
	}
	brokers := image.Brokers()
	gauge(e.brokers, int64(len(brokers)))
	for _, b := range brokers {
		if len(b.Listeners) > 0 {
			at := b.Listeners[0]
			gauge(e.brokerInfo, 1, number(b.ID), net.JoinHostPort(at.Host, strconv.Itoa(int(at.Port))))
		}
	}
	for topic := range image.Topics() {
		gauge(e.partitions, int64(len(topic.Partitions)), topic.Name)
		for i := range topic.Partitions {
			e.collectPartition(gauge, topic, int32(i))
		}
	}
	for _, one := range measure(e.source) {
		e.collectGroup(gauge, &one)
	}
}

func (e *exporter) collectPartition(gauge emit, topic *metadata.Topic, partition int32) {
	labels := []string{topic.Name, number(partition)}
	r := topic.Partitions[partition].Record
	gauge(e.leader, int64(r.Leader), labels...)
	gauge(e.preferred, oneIf(len(r.Replicas) > 0 && r.Leader == r.Replicas[0]), labels...)
	gauge(e.replicas, int64(len(r.Replicas)), labels...)
	gauge(e.inSync, int64(len(r.InSync)), labels...)
	gauge(e.under, oneIf(len(r.InSync) < len(r.Replicas)), labels...)
	if start, end, ok := e.source.Bounds(topic.Name, partition); ok {
		gauge(e.current, end, labels...)
		gauge(e.oldest, start, labels...)
	}
}

func (e *exporter) collectGroup(gauge emit, one *measuredGroup) {
	gauge(e.groupMembers, int64(one.members), one.id)
	committed, lag := map[string]int64{}, map[string]int64{}
	for _, p := range one.partitions {
		committed[p.topic] += p.committed
		lag[p.topic] += p.lag()
		gauge(e.groupOffset, p.committed, one.id, p.topic, number(p.number))
		gauge(e.groupLag, p.lag(), one.id, p.topic, number(p.number))
	}
	for topic := range committed {
		gauge(e.groupOffsetSum, committed[topic], one.id, topic)
		gauge(e.groupLagSum, lag[topic], one.id, topic)
	}
}

func oneIf(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
