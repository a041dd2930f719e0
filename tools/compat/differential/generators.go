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
	10: (*draw).findCoordinator,
	19: (*draw).createTopics,
	20: (*draw).deleteTopics,
	21: (*draw).fillChanging,
	22: (*draw).initProducerID,
	32: (*draw).describeConfigs,
	33: (*draw).alterConfigs,
	37: (*draw).createPartitions,
	44: (*draw).incrementalAlterConfigs,
	55: (*draw).describeQuorum,
	57: (*draw).updateFeatures,
}

// withoutGenerator are keys that are served and not asked, and why.
var withoutGenerator = map[int16]string{}

// changing are the keys whose requests change what is there: they are asked
// once, and Kafka is waited for after them.
var changing = map[int16]bool{0: true, 1: true, 3: true, 19: true, 20: true, 21: true, 22: true, 33: true, 37: true, 44: true, 57: true}

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

// findCoordinator asks for no kind of coordinator that there is: Kafka would
// create its internal topics.
func (d *draw) findCoordinator(q kmsg.Request) {
	d.fill(q)
	// Version 0 asks for coordinators of groups alone.
	q.SetVersion(max(1, q.GetVersion()))
}

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

// updateFeatures changes nothing: what an upgrade changes is not the same on
// both.
func (d *draw) updateFeatures(q kmsg.Request) {
	u := q.(*kmsg.UpdateFeaturesRequest)
	u.TimeoutMillis, u.ValidateOnly = 30_000, d.chance(2)
	for range pick(d, 0, 1, 1, 2) {
		f := kmsg.NewUpdateFeaturesRequestFeatureUpdate()
		f.Feature = pick(d, "metadata.version", "no.version", "")
		f.MaxVersionLevel = pick[int16](d, 1000, -1)
		f.AllowDowngrade, f.UpgradeType = d.chance(2), pick[int8](d, 0, 1, 4)
		u.FeatureUpdates = append(u.FeatureUpdates, f)
	}
}
