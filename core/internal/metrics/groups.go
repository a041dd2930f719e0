package metrics

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/group"
	"odradek.dev/core/internal/group/offsets"
)

// GroupSource is what groups are measured by. It is asked when somebody
// scrapes, and never between.
type GroupSource interface {
	// Overviews are the groups that this broker coordinates; see
	// [group.Machine.Overviews].
	Overviews() iter.Seq[group.Overview]
	// Loading is how many partitions of the groups' log are being read, and how
	// many of those could not be when it was last tried.
	Loading() (partitions, failed int)
	// EndOffsets has for each partition of a topic the high watermark, -1 if it
	// is not known here; nil if the topic is not.
	EndOffsets(topic string) []int64
	// BatchTime is the timestamp of the batch at an offset; false if it is not
	// known here.
	BatchTime(topic string, partition int32, offset int64) (ms int64, ok bool)
}

// timesPerScrape bounds the headers that one scrape reads from logs to know how
// old the lag is. A header that was read is not read again while the committed
// offset stays, so that what a scrape leaves out the next ones have.
const timesPerScrape = 1000

// groups collects what the coordinators know, when it is scraped.
type groups struct {
	source     GroupSource
	now        func() time.Time
	partitions bool

	// mu is held by a scrape: another waits.
	mu    sync.Mutex
	times batchTimes // in mu

	count, loading, failed, members  *prometheus.Desc
	committed, end, sum, max, oldest *prometheus.Desc
	partition                        [4]*prometheus.Desc
}

// RegisterGroups puts the consumer groups into r. With partitions there are
// series for each partition of a group.
func RegisterGroups(r prometheus.Registerer, source GroupSource, now func() time.Time, partitions bool) {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	one := func(name, help string) *prometheus.Desc {
		return describe("odradek_group_partition_"+name, help, "group", "topic", "partition")
	}
	r.MustRegister(&groups{
		source: source, now: now, partitions: partitions, times: batchTimes{},
		count:     describe("odradek_groups", "Groups that this broker coordinates.", "type", "state"),
		loading:   describe("odradek_group_coordinators_loading", "Partitions of __consumer_offsets that are being read."),
		failed:    describe("odradek_group_coordinators_failed", "Those of them that could not be read when it was last tried: their groups are not coordinated until they can; the log says why."),
		members:   describe("odradek_group_members", "Members of the group.", "group"),
		committed: describe("odradek_group_committed_offset_sum", "Sum of the offsets that the group has committed.", "group"),
		end:       describe("odradek_group_end_offset_sum", "Sum of the high watermarks where the group has committed an offset.", "group"),
		sum:       describe("odradek_group_lag_sum", "Records that the group has yet to consume, where it has committed an offset. A partition whose log is shorter than that offset counts as 0, so that it hides no lag of others; odradek group describe shows what is missing as a negative lag.", "group"),
		max:       describe("odradek_group_lag_max", "The same in the partition in which it lags most.", "group"),
		oldest:    describe("odradek_group_lag_seconds_max", "Age of the oldest batch that the group has yet to consume; 0 if there is none.", "group"),
		partition: [4]*prometheus.Desc{
			one("committed_offset", "Offset that the group has committed."), one("end_offset", "High watermark."),
			one("lag", "Records that the group has yet to consume; 0 if the log is shorter than what it has committed, where odradek group describe shows what is missing as a negative lag."),
			one("lag_seconds", "Age of the oldest batch that the group has yet to consume; 0 if there is none."),
		},
	})
}

func (g *groups) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range append(g.partition[:], g.count, g.loading, g.failed, g.members, g.committed, g.end, g.sum, g.max, g.oldest) {
		ch <- d
	}
}

func (g *groups) Collect(ch chan<- prometheus.Metric) {
	g.mu.Lock()
	defer g.mu.Unlock()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	measured := measure(g.source)
	times := g.times.next(g.source)
	counts := map[[2]string]int{}
	for _, one := range measured {
		counts[[2]string{one.kind, one.state}]++
		gauge(g.members, float64(one.members), one.id)
		if len(one.partitions) > 0 {
			g.collectGroup(gauge, &one, times)
		}
	}
	for of, n := range counts {
		gauge(g.count, float64(n), of[0], of[1])
	}
	loading, failed := g.source.Loading()
	gauge(g.loading, float64(loading))
	gauge(g.failed, float64(failed))
	g.times = times.kept
}

func (g *groups) collectGroup(gauge func(*prometheus.Desc, float64, ...string), one *measuredGroup, times *timeReader) {
	var committed, end, sum, most int64
	oldest, anyAge := 0.0, false
	now := g.now().UnixMilli()
	for _, p := range one.partitions {
		committed, end, sum, most = committed+p.committed, end+p.end, sum+p.lag(), max(most, p.lag())
		age, known := p.age(now, times)
		oldest, anyAge = max(oldest, age), anyAge || known
		if !g.partitions {
			continue
		}
		for i, v := range []int64{p.committed, p.end, p.lag()} {
			gauge(g.partition[i], float64(v), one.id, p.topic, number(p.number))
		}
		if known {
			gauge(g.partition[3], age, one.id, p.topic, number(p.number))
		}
	}
	gauge(g.committed, float64(committed), one.id)
	gauge(g.end, float64(end), one.id)
	gauge(g.sum, float64(sum), one.id)
	gauge(g.max, float64(most), one.id)
	if anyAge {
		gauge(g.oldest, oldest, one.id)
	}
}

// overviewSource is the part of a source that says where groups are.
type overviewSource interface {
	Overviews() iter.Seq[group.Overview]
	EndOffsets(topic string) []int64
}

// measuredGroup is a group, with the partitions in which it has an offset and
// whose end is known here.
type measuredGroup struct {
	id, kind, state string
	members         int
	partitions      []measuredPartition
}

type measuredPartition struct {
	topic          string
	number         int32
	committed, end int64
}

// lag is not negative: a log that is shorter than what was committed has
// nothing to consume.
func (p measuredPartition) lag() int64 { return max(p.end-p.committed, 0) }

// age is in seconds.
func (p measuredPartition) age(now int64, times *timeReader) (seconds float64, known bool) {
	if p.lag() == 0 {
		return 0, true
	}
	ms, known := times.read(batchAt{p.topic, p.number, p.committed})
	if !known {
		return 0, false
	}
	return float64(max(now-ms, 0)) / 1000, true
}

// measure copies what the coordinators have, so that they go on while it is
// looked at.
func measure(source overviewSource) []measuredGroup {
	ends := map[string][]int64{}
	endOf := func(topic string, partition int32) int64 {
		of, known := ends[topic]
		if !known {
			of = source.EndOffsets(topic)
			ends[topic] = of
		}
		if int(partition) >= len(of) {
			return -1
		}
		return of[partition]
	}
	var all []measuredGroup
	for o := range source.Overviews() {
		one := measuredGroup{id: labelOf(o.ID), kind: o.Type, state: o.State, members: o.Members}
		one.add(o.Offsets, endOf)
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b measuredGroup) int { return cmp.Compare(a.id, b.id) })
	return all
}

// labelOf is the label for the id of a group. Labels are UTF-8, which ids need not
// be; those that are not are quoted, and those that look quoted too, so that no two
// have the same.
func labelOf(id string) string {
	if utf8.ValidString(id) && !strings.HasPrefix(id, `"`) {
		return id
	}
	return strconv.Quote(id)
}

func (m *measuredGroup) add(committed map[string]map[int32]offsets.Committed, endOf func(string, int32) int64) {
	for topic, partitions := range committed {
		for number, c := range partitions {
			if end := endOf(topic, number); end >= 0 {
				m.partitions = append(m.partitions, measuredPartition{topic, number, c.Offset, end})
			}
		}
	}
}
