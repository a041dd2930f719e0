package differential

import (
	"github.com/twmb/franz-go/pkg/kmsg"
)

// generators are for the keys whose fields depend on each other, or must keep
// away from what would end the comparison. Those of other keys are filled
// field by field.
var generators = map[int16]func(*draw, kmsg.Request){
	0:  (*draw).produce,
	1:  (*draw).fetch,
	3:  (*draw).metadata,
	8:  (*draw).offsetCommit,
	9:  (*draw).offsetFetch,
	10: (*draw).findCoordinator,
	11: (*draw).joinGroup,
	12: (*draw).strangersHeartbeat,
	13: (*draw).leaveGroup,
	14: (*draw).syncGroup,
	15: (*draw).describeGroups,
	16: (*draw).listGroups,
	19: (*draw).createTopics,
	20: (*draw).deleteTopics,
	21: (*draw).fillChanging,
	22: (*draw).initProducerID,
	32: (*draw).describeConfigs,
	33: (*draw).alterConfigs,
	37: (*draw).fillChanging,
	42: (*draw).deleteGroups,
	44: (*draw).incrementalAlterConfigs,
	47: (*draw).offsetDelete,
	55: (*draw).describeQuorum,
	57: (*draw).updateFeatures,
	68: (*draw).consumerHeartbeat,
	69: (*draw).describeConsumerGroups,
}

// changing are the keys whose requests change what is there: they are asked
// once, and Kafka is waited for after them.
var changing = map[int16]bool{0: true, 1: true, 3: true, 8: true, 11: true, 12: true, 13: true, 14: true, 19: true, 20: true, 21: true, 22: true, 33: true, 37: true, 42: true, 44: true, 47: true, 57: true, 68: true}

// changesMetadata are those of which Kafka tells its own readers a little
// later.
var changesMetadata = map[int16]bool{3: true, 19: true, 20: true, 33: true, 37: true, 44: true}

func (d *draw) metadata(q kmsg.Request) {
	d.fill(q)
	m := q.(*kmsg.MetadataRequest)
	m.AllowAutoTopicCreation = d.chance(20)
	if m.AllowAutoTopicCreation {
		for n := range m.Topics {
			m.Topics[n] = kmsg.MetadataRequestTopic{Topic: kmsg.StringPtr(pick(d, volatile[:4]...))}
		}
	}
	for n := range m.Topics {
		if m.Version < 10 && m.Topics[n].Topic == nil {
			m.Topics[n].Topic = kmsg.StringPtr(d.topic())
		}
	}
}

// takesTwice are keys that have rules for a group that is named twice.
var takesTwice = map[int16]bool{9: true, 15: true, 42: true, 69: true}

// findCoordinator asks for groups, and for what there are no coordinators for:
// for transactions and share partitions Kafka would create its internal topics.
func (d *draw) findCoordinator(q kmsg.Request) { d.fill(q) }

// initProducerID asks without a transactional id, or with an empty one.
func (d *draw) initProducerID(q kmsg.Request) {
	i := q.(*kmsg.InitProducerIDRequest)
	if d.chance(10) {
		i.TransactionalID = kmsg.StringPtr("")
	}
	i.TransactionTimeoutMillis = pick[int32](d, 60_000, 1, 0, -1, 1<<31-1)
	i.ProducerID, i.ProducerEpoch = -1, -1
	if d.chance(3) {
		i.ProducerID = pick(d, firstProducer+int64(d.IntN(producers)), 0, -2)
		i.ProducerEpoch = pick[int16](d, 0, 1, -1, -2, 1<<15-1)
	}
}

// describeQuorum asks about the one log that has a quorum, half of the time.
func (d *draw) describeQuorum(q kmsg.Request) {
	d.fill(q)
	if topics := q.(*kmsg.DescribeQuorumRequest).Topics; len(topics) > 0 && d.chance(2) {
		topics[0].Topic = "__cluster_metadata"
		topics[0].Partitions = []kmsg.DescribeQuorumRequestTopicPartition{{}}
	}
}

// updateFeatures leaves what it changes as it is in the end: with another
// group.version, groups would not be the same.
func (d *draw) updateFeatures(q kmsg.Request) {
	u := q.(*kmsg.UpdateFeaturesRequest)
	u.TimeoutMillis, u.ValidateOnly = 30_000, d.chance(2)
	for range pick(d, 0, 1, 1, 2) {
		f := kmsg.NewUpdateFeaturesRequestFeatureUpdate()
		f.Feature = pick(d, "metadata.version", "metadata.version", "group.version", "group.version", "no.version", "")
		f.MaxVersionLevel = pick[int16](d, 1000, -1, 0, 1, 1, 2, 7, 32, 33, 33)
		f.AllowDowngrade, f.UpgradeType = d.chance(2), pick[int8](d, 0, 1, 1, 2, 2, 3, 4)
		u.FeatureUpdates = append(u.FeatureUpdates, f)
		u.ValidateOnly = u.ValidateOnly || f.Feature == "group.version" && f.MaxVersionLevel == 0
	}
}
