package differential

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The groups that single requests are about: idle ones, which have offsets and
// no members; kept ones, which always have the offset of [keptTopic] at least,
// since Kafka has a group of which nothing is left stay for a while; and such as
// nobody has made or may make.
var (
	idleGroups   = []string{"idle 0", "idle 1", "idle 2", "idle 3"}
	keptGroups   = []string{"kept 0", "kept 1"}
	absentGroups = []string{"nowhere", "", "é", strings.Repeat("g", 300)}
)

func (d *draw) groupName() string {
	if d.chance(8) {
		return pick(d, absentGroups...)
	}
	if d.chance(3) {
		return pick(d, keptGroups...)
	}
	return pick(d, idleGroups...)
}

// keptTopic is the topic whose offsets are never deleted by themselves.
const keptTopic = "plain"

// nobody is the id of a member that is in no group.
func (d *draw) nobody() string { return pick(d, "", "", "nobody", "no-body") }

func (d *draw) offsetCommit(q kmsg.Request) {
	c := q.(*kmsg.OffsetCommitRequest)
	c.Group, c.MemberID, c.Generation = d.groupName(), "", -1
	if d.chance(5) {
		c.MemberID, c.Generation = d.nobody(), pick[int32](d, -1, 0, 1, -2, math.MaxInt32)
	}
	if d.chance(20) {
		c.InstanceID = kmsg.StringPtr(pick(d, "", "i0"))
	}
	c.RetentionTimeMillis = pick[int64](d, -1, -1, 0, 3_600_000)
	for range pick(d, 0, 1, 1, 1, 1, 2) {
		t := kmsg.NewOffsetCommitRequestTopic()
		t.Topic = d.committed()
		t.TopicID = topicPlaceholder(t.Topic)
		if d.chance(15) {
			t.TopicID = [16]byte{}
		}
		for range pick(d, 0, 1, 1, 1, 2) {
			p := d.commitPartition()
			if p.Metadata != nil && utf8.RuneCountInString(*p.Metadata) > 4096 && !slices.Contains(keptGroups, c.Group) {
				p.Metadata = nil // Kafka makes a group for it, that has nothing
			}
			t.Partitions = append(t.Partitions, p)
		}
		c.Topics = append(c.Topics, t)
	}
}

// committed draws a topic that stays, so that its offsets do, or one that is
// not there.
func (d *draw) committed() string {
	if d.chance(8) {
		return pick(d, absent...)
	}
	return pick(d, standing...)
}

func (d *draw) commitPartition() kmsg.OffsetCommitRequestTopicPartition {
	p := kmsg.NewOffsetCommitRequestTopicPartition()
	p.Partition, p.Offset = d.partition(), pick[int64](d, 0, 1, 5, 1000, math.MaxInt64, -1, -2)
	p.LeaderEpoch = pick[int32](d, -1, -1, 0, 7)
	if !d.chance(4) {
		p.Metadata = kmsg.StringPtr(pick(d, "", "", "é", strings.Repeat("m", 4096), strings.Repeat("m", 4097), strings.Repeat("é", 4096), strings.Repeat("é", 4097)))
	}
	return p
}

func (d *draw) offsetFetch(q kmsg.Request) {
	f := q.(*kmsg.OffsetFetchRequest)
	f.Group, f.RequireStable = d.groupName(), d.chance(2)
	if f.Version > 1 && d.chance(4) {
		f.Topics = nil // all
	} else {
		f.Topics = []kmsg.OffsetFetchRequestTopic{}
		for range pick(d, 0, 1, 1, 2) {
			t := kmsg.NewOffsetFetchRequestTopic()
			t.Topic, t.Partitions = d.committed(), []int32{d.partition(), d.partition()}
			f.Topics = append(f.Topics, t)
		}
	}
	for range pick(d, 0, 1, 1, 2, 3) {
		f.Groups = append(f.Groups, d.offsetFetchGroup())
	}
}

func (d *draw) offsetFetchGroup() kmsg.OffsetFetchRequestGroup {
	g := kmsg.NewOffsetFetchRequestGroup()
	g.Group = d.groupName()
	if d.chance(8) {
		g.MemberID, g.MemberEpoch = kmsg.StringPtr(d.nobody()), pick[int32](d, -1, 0, 1)
	}
	if d.chance(4) {
		return g // all
	}
	g.Topics = []kmsg.OffsetFetchRequestGroupTopic{}
	for range pick(d, 0, 1, 1, 2) {
		t := kmsg.NewOffsetFetchRequestGroupTopic()
		t.Topic, t.Partitions = d.committed(), []int32{d.partition(), d.partition()}
		t.TopicID = topicPlaceholder(t.Topic)
		g.Topics = append(g.Topics, t)
	}
	return g
}

func (d *draw) offsetDelete(q kmsg.Request) {
	o := q.(*kmsg.OffsetDeleteRequest)
	if o.Group = pick(d, keptGroups...); d.chance(8) {
		o.Group = pick(d, absentGroups...)
	}
	for range pick(d, 0, 1, 1, 2) {
		t := kmsg.NewOffsetDeleteRequestTopic()
		if t.Topic = d.committed(); t.Topic == keptTopic {
			t.Topic = "compacted"
		}
		for range pick(d, 0, 1, 2) {
			t.Partitions = append(t.Partitions, kmsg.OffsetDeleteRequestTopicPartition{Partition: d.partition()})
		}
		o.Topics = append(o.Topics, t)
	}
}

// groupNames may have a group twice.
func (d *draw) groupNames() (names []string) {
	for range pick(d, 0, 1, 1, 1, 2, 3) {
		names = append(names, d.groupName())
	}
	return names
}

func (d *draw) describeGroups(q kmsg.Request) {
	g := q.(*kmsg.DescribeGroupsRequest)
	g.Groups, g.IncludeAuthorizedOperations = d.groupNames(), d.chance(2)
}

func (d *draw) describeConsumerGroups(q kmsg.Request) {
	g := q.(*kmsg.ConsumerGroupDescribeRequest)
	g.Groups, g.IncludeAuthorizedOperations = d.groupNames(), d.chance(2)
}

func (d *draw) deleteGroups(q kmsg.Request) {
	g := q.(*kmsg.DeleteGroupsRequest)
	for range pick(d, 0, 1, 1, 1, 2, 3) {
		g.Groups = append(g.Groups, pick(d, slices.Concat(idleGroups, absentGroups)...))
	}
}

// listGroups asks for no state in which Odradek may be ahead: what consumer
// groups of a play that is over are in until they have a new assignment.
func (d *draw) listGroups(q kmsg.Request) {
	l := q.(*kmsg.ListGroupsRequest)
	for range pick(d, 0, 0, 1, 2) {
		l.StatesFilter = append(l.StatesFilter, pick(d, "Empty", "empty", "PreparingRebalance", "CompletingRebalance", "completingRebalance", "Dead", "none", ""))
	}
	for range pick(d, 0, 0, 1, 2) {
		l.TypesFilter = append(l.TypesFilter, pick(d, "classic", "Classic", "consumer", "share", "streams", "none", ""))
	}
}
