package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Groups is the configuration of consumer groups, as it is for one of them. In
// brackets Kafka's names; those with (group.) have one for all groups and one,
// without it, that a group sets for itself.
type Groups struct {
	MinSessionTimeoutMs     int32 // group.min.session.timeout.ms
	MaxSessionTimeoutMs     int32 // group.max.session.timeout.ms
	InitialRebalanceDelayMs int32 // group.initial.rebalance.delay.ms
	MaxSize                 int32 // group.max.size

	OffsetsRetentionMs              int64 // offsets.retention.minutes
	OffsetsRetentionCheckIntervalMs int64 // offsets.retention.check.interval.ms
	OffsetMetadataMaxSize           int32 // offset.metadata.max.bytes

	ConsumerSessionTimeoutMs     int32    // (group.)consumer.session.timeout.ms
	ConsumerHeartbeatIntervalMs  int32    // (group.)consumer.heartbeat.interval.ms
	ConsumerAssignmentIntervalMs int32    // (group.)consumer.assignment.interval.ms
	ConsumerMaxSize              int32    // group.consumer.max.size
	ConsumerAssignors            []string // group.consumer.assignors; the first is the default
	ConsumerMigrationPolicy      string   // group.consumer.migration.policy
	RegexRefreshIntervalMs       int64    // group.consumer.regex.refresh.interval.ms
}

// OffsetsTopic is how the topic of committed offsets is made.
type OffsetsTopic struct {
	Codec             int32 // offsets.topic.compression.codec
	Partitions        int32 // offsets.topic.num.partitions
	ReplicationFactor int16 // offsets.topic.replication.factor
	SegmentBytes      int32 // offsets.topic.segment.bytes
	// Lost is what of it is given up if it is damaged: offsets.topic.lost.
	Lost []Offsets
}

var offsetsCodecs = map[int32]string{1: "gzip", 2: "snappy", 3: "lz4", 4: "zstd"}

// Configs are what the topic sets itself.
func (o OffsetsTopic) Configs() map[string]string {
	codec, ok := offsetsCodecs[o.Codec]
	if !ok {
		codec = "producer"
	}
	return map[string]string{
		"cleanup.policy": "compact", "compression.type": codec, "segment.bytes": strconv.Itoa(int(o.SegmentBytes)),
	}
}

// bounds is what groups may set for themselves.
type bounds struct{ least, most int32 }

// groupBounds are the (group.consumer.)min and max of each value.
type groupBounds struct {
	sessionTimeout, heartbeatInterval, assignmentInterval bounds
}

// SourceGroup is the source of what is set on a group.
const SourceGroup int8 = 8

// groupKeys are the configs that a group sets for itself.
var groupKeys = tableOf(groupConsumerKeys(), groupShareKeys(), groupStreamsKeys(), groupErrorKeys())

// groupKey makes the key of a group config; its default is that of the broker
// config with "group." before it, if there is one.
func groupKey[T any](name string, s syntax[T], standard, doc string, field func(*Groups) *T) key[Groups] {
	d := Definition{Name: name, Default: standard, HasDefault: standard != noDefault, Doc: doc}
	if !d.HasDefault {
		d.Default = ""
	}
	return define(d, s, field)
}

func idle[T any](name string, s syntax[T], standard, doc string) key[Groups] {
	return groupKey(name, s, standard, doc, nil)
}

// unseen is idle, and described only where it is set.
func unseen[T any](name string, s syntax[T], standard, doc string) key[Groups] {
	k := idle(name, s, standard, doc)
	k.Hidden = true
	return k
}

func groupConsumerKeys() []key[Groups] {
	return []key[Groups]{
		groupKey("consumer.session.timeout.ms", integer(1, math.MaxInt32), "45000",
			"Milliseconds without a heartbeat after which a member is out.",
			func(g *Groups) *int32 { return &g.ConsumerSessionTimeoutMs }),
		groupKey("consumer.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000",
			"Milliseconds between two heartbeats of a member.",
			func(g *Groups) *int32 { return &g.ConsumerHeartbeatIntervalMs }),
		groupKey("consumer.assignment.interval.ms", integer(0, math.MaxInt32), "1000",
			"Milliseconds between two assignments.",
			func(g *Groups) *int32 { return &g.ConsumerAssignmentIntervalMs }),
		unseen("consumer.assignor.offload.enable", boolean(), "true",
			"Whether assignments are computed beside the coordinator; they always are."),
	}
}

func groupShareKeys() []key[Groups] {
	return []key[Groups]{
		idle("share.session.timeout.ms", integer(1, math.MaxInt32), "45000", "Milliseconds without a heartbeat after which a member of a share group is out."),
		idle("share.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000", "Milliseconds between two heartbeats of a member of a share group."),
		idle("share.record.lock.duration.ms", integer(1000, math.MaxInt32), "30000", "Milliseconds for which a member has a record to itself."),
		idle("share.delivery.count.limit", integer(2, 10), "5", "How often a record is delivered at most."),
		idle("share.partition.max.record.locks", integer(100, 10000), "2000", "Records of a partition that members may have at a time."),
		idle("share.auto.offset.reset", whereToBegin(), "latest", "Where a share group begins."),
		idle("share.isolation.level", oneOf("read_committed", "read_uncommitted"), "read_uncommitted", "Whether a share group sees records of open transactions."),
		idle("share.renew.acknowledge.enable", boolean(), "true", "Whether members may keep a record for longer."),
		idle("share.assignment.interval.ms", integer(0, math.MaxInt32), "1000", "Milliseconds between two assignments of a share group."),
		unseen("share.assignor.offload.enable", boolean(), "true", "Whether assignments of share groups are computed beside the coordinator."),
	}
}

func groupStreamsKeys() []key[Groups] {
	return []key[Groups]{
		idle("streams.session.timeout.ms", integer(1, math.MaxInt32), "45000", "Milliseconds without a heartbeat after which a member of a streams group is out."),
		idle("streams.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000", "Milliseconds between two heartbeats of a member of a streams group."),
		idle("streams.num.standby.replicas", integer(0, math.MaxInt32), "0", "Standby copies of each task."),
		idle("streams.initial.rebalance.delay.ms", integer(0, math.MaxInt32), "3000", "Milliseconds that a new streams group waits for more members."),
		idle("streams.assignment.interval.ms", integer(0, math.MaxInt32), "1000", "Milliseconds between two assignments of a streams group."),
		unseen("streams.assignor.offload.enable", boolean(), "true", "Whether assignments of streams groups are computed beside the coordinator."),
		unseen("streams.task.offset.interval.ms", integer(1, math.MaxInt32), "60000", "Milliseconds between two reports of how far tasks are."),
		unseen("streams.num.warmup.replicas", integer(1, math.MaxInt32), "2", "Copies of tasks that may be warmed up at a time."),
		idle("streams.rack.aware.assignment.tags", anyList(), "", "Tags of clients over which standby copies are spread."),
		unseen("streams.acceptable.recovery.lag", long(0, math.MaxInt64), "10000", "Records that a copy may lag behind and still take over."),
		idle("streams.assignor.name", oneOf("sticky"), "sticky", "The assignor of a streams group."),
	}
}

func groupErrorKeys() []key[Groups] {
	return []key[Groups]{
		idle("errors.deadletterqueue.topic.name", ordinaryTopic(), "", "The topic for records that nobody could process."),
		idle("errors.deadletterqueue.copy.record.enable", boolean(), "false", "Whether such records are copied there whole."),
	}
}

// Group is the configuration of a group that sets own. A value that is not
// allowed, which only another release can have let through, is passed over; one
// that is out of the broker's bounds is brought to them. The result is not to
// be changed: a group that sets nothing has the broker's own.
func (b *Broker) Group(own map[string]string) *Groups {
	if len(own) == 0 {
		return &b.Groups
	}
	g := b.Groups
	for name, text := range own {
		if k, known := groupKeys[name]; known && k.check(text) == nil {
			_ = k.set(&g, text) // it was just checked
		}
	}
	for _, v := range b.boundGroupValues(&g) {
		if _, set := own[v.name]; set {
			*v.value = min(max(*v.value, v.bounds.least), max(v.bounds.most, v.bounds.least))
		}
	}
	return &g
}

type boundValue struct {
	name   string
	value  *int32
	bounds bounds
}

func (b *Broker) boundGroupValues(g *Groups) []boundValue {
	return []boundValue{
		{"consumer.session.timeout.ms", &g.ConsumerSessionTimeoutMs, b.groupBounds.sessionTimeout},
		{"consumer.heartbeat.interval.ms", &g.ConsumerHeartbeatIntervalMs, b.groupBounds.heartbeatInterval},
		{"consumer.assignment.interval.ms", &g.ConsumerAssignmentIntervalMs, b.groupBounds.assignmentInterval},
	}
}

// CheckGroup reports the first, in order of name, of a group's configs that is
// unknown or has a value that is not allowed.
func (b *Broker) CheckGroup(set map[string]string) error {
	g := b.Groups
	for _, name := range slices.Sorted(maps.Keys(set)) {
		k, known := groupKeys[name]
		if !known {
			return &UnknownNameError{Name: name, What: "group config", Nearest: Nearest(name, maps.Keys(groupKeys))}
		}
		if err := k.set(&g, set[name]); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if err := b.checkGroupLimits(name, set[name]); err != nil {
			return err
		}
	}
	if g.ConsumerSessionTimeoutMs <= g.ConsumerHeartbeatIntervalMs {
		return &ValueError{"consumer.session.timeout.ms", strconv.Itoa(int(g.ConsumerSessionTimeoutMs)),
			fmt.Sprintf("more than consumer.heartbeat.interval.ms, which is %d", g.ConsumerHeartbeatIntervalMs)}
	}
	return nil
}

// DescribeGroup describes every config of a group that sets own, in order of
// name.
func (b *Broker) DescribeGroup(own map[string]string) []Entry {
	var entries []Entry
	for _, name := range groupKeys.names() {
		d := groupKeys[name].Definition
		text, set := own[name]
		if d.Hidden && !set {
			continue
		}
		entry := Entry{Definition: d, Value: d.Default, Source: SourceDefault, Synonyms: groupSynonyms(b, d)}
		if set {
			entry.Value, entry.Source = canonical(d.Type, text), SourceGroup
			entry.Synonyms = append([]Synonym{{name, entry.Value, SourceGroup}}, entry.Synonyms...)
		} else {
			entry.Value, entry.Source = entry.Synonyms[0].Value, entry.Synonyms[0].Source
		}
		entries = append(entries, entry)
	}
	return entries
}

// groupSynonyms are the values that a group has that sets none; there is always
// one.
func groupSynonyms(b *Broker, d Definition) []Synonym {
	twin := groupTwin(d.Name)
	if _, known := brokerKeys[twin]; known {
		return brokerSynonyms(b, []string{twin})
	}
	if !d.Hidden {
		twin = d.Name
	}
	return []Synonym{{twin, d.Default, SourceDefault}}
}

// groupTwin is the broker config of which a group config overrides the value.
func groupTwin(name string) string {
	if name == "streams.assignor.name" {
		return "group.streams.assignors"
	}
	return "group." + name
}

// minutesAsMs keeps whole minutes as milliseconds.
func minutesAsMs() syntax[int64] {
	whole := integer(1, math.MaxInt32)
	return syntax[int64]{kind: whole.kind, allowed: whole.allowed, parse: func(text string) (int64, bool) {
		n, ok := whole.parse(strings.TrimSpace(text))
		return int64(n) * 60_000, ok
	}}
}
