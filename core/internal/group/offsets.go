package group

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/consumer"
	"odradek.dev/core/internal/group/offsets"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// topicIDsSince is the first version of OffsetCommit and OffsetFetch that
// names topics by their ids.
const topicIDsSince = 10

// groupNotFoundSince is the first version of OffsetCommit whose clients know
// that a group is not there.
const groupNotFoundSince = 9

// commit looks at the topics before it looks at who commits: if none of the
// partitions exists, anybody may be told so.
func (m *Machine) commit(now int64, to step.Token, q *kmsg.OffsetCommitRequest, out *step.Output) {
	existing, unknown := m.existingCommits(q)
	response := kmsg.NewPtrOffsetCommitResponse()
	if len(existing.Topics) > 0 {
		response = m.commitExisting(now, existing, out)
	}
	unknown.addTo(response)
	out.Answer(to, response)
	if e := m.groups[q.Group]; e != nil {
		m.settle(now, e, out)
	}
}

func (m *Machine) commitExisting(now int64, q *kmsg.OffsetCommitRequest, out *step.Output) *kmsg.OffsetCommitResponse {
	each, kind := m.checkCommit(now, q)
	if kind != nil {
		return refuseCommit(q, kind)
	}
	allowed, refused := allowedCommits(q, each)
	limits := offsets.Limits{MetadataMaxSize: m.world.Settings(q.Group).OffsetMetadataMaxSize}
	records, response := offsets.Commit(now, allowed, limits)
	m.write(records, out)
	refused.addTo(response)
	return response
}

// checkPartition refuses a commit of one partition.
type checkPartition func(topic string, id [16]byte, partition int32) *refusal.Refusal

// checkCommit says who may not commit. What it returns, if not nil, is to be
// asked for each partition.
func (m *Machine) checkCommit(now int64, q *kmsg.OffsetCommitRequest) (checkPartition, *kerr.Error) {
	e := m.groups[q.Group]
	switch {
	case e == nil && q.Generation < 0:
		return nil, nil
	case e == nil && q.Version >= groupNotFoundSince:
		return nil, kerr.GroupIDNotFound
	case e == nil:
		return nil, kerr.IllegalGeneration
	case e.consumer == nil:
		return nil, e.classic.CheckCommit(now, q.MemberID, q.InstanceID, q.Generation)
	}
	each, refused := e.consumer.CheckCommit(consumer.Commit{
		MemberID: q.MemberID, InstanceID: q.InstanceID, Epoch: q.Generation, Version: q.Version,
	})
	if refused != nil {
		return nil, refused.Kind
	}
	return each, nil
}

// refusedCommits are the partitions of a commit that are refused, by topic, in
// the order of the request.
type refusedCommits []kmsg.OffsetCommitResponseTopic

// addTo gives each partition its answer. A topic is in the response once.
func (r refusedCommits) addTo(response *kmsg.OffsetCommitResponse) {
	for _, topic := range r {
		known := false
		for i := range response.Topics {
			t := &response.Topics[i]
			if t.Topic == topic.Topic && t.TopicID == topic.TopicID {
				t.Partitions, known = append(t.Partitions, topic.Partitions...), true
				break
			}
		}
		if !known {
			response.Topics = append(response.Topics, topic)
		}
	}
}

// allExist fills in names and ids of the topics of a request, and says whether
// all of its partitions exist, some in each topic.
func (m *Machine) allExist(q *kmsg.OffsetCommitRequest) bool {
	all := true
	for i := range q.Topics {
		t := &q.Topics[i]
		if m.identify(q.Version, &t.Topic, &t.TopicID) != nil {
			all = false
			continue
		}
		topic, _ := m.world.Topic(t.Topic)
		all = all && len(t.Partitions) > 0
		for p := range t.Partitions {
			all = all && hasPartition(topic, t.Partitions[p].Partition)
		}
	}
	return all
}

// existingCommits splits a request into the partitions that exist, with names
// and ids of their topics filled in, and those that do not.
func (m *Machine) existingCommits(q *kmsg.OffsetCommitRequest) (*kmsg.OffsetCommitRequest, refusedCommits) {
	if m.allExist(q) {
		return q, nil
	}
	existing := *q
	existing.Topics = nil
	var unknown refusedCommits
	for _, t := range q.Topics {
		partitions := t.Partitions
		kind := m.identify(q.Version, &t.Topic, &t.TopicID)
		topic, _ := m.world.Topic(t.Topic)
		no := kmsg.OffsetCommitResponseTopic{Topic: t.Topic, TopicID: t.TopicID}
		t.Partitions = nil
		for _, p := range partitions {
			wrong := kind
			if wrong == nil && !hasPartition(topic, p.Partition) {
				wrong = kerr.UnknownTopicOrPartition
			}
			if wrong == nil {
				t.Partitions = append(t.Partitions, p)
				continue
			}
			no.Partitions = append(no.Partitions, kmsg.OffsetCommitResponseTopicPartition{Partition: p.Partition, ErrorCode: wrong.Code})
		}
		if len(t.Partitions) > 0 {
			existing.Topics = append(existing.Topics, t)
		}
		if kind != nil || len(no.Partitions) > 0 {
			unknown = append(unknown, no)
		}
	}
	return &existing, unknown
}

func hasPartition(t step.Topic, partition int32) bool {
	return partition >= 0 && partition < t.Partitions
}

// allowedCommits splits a request into what is committed and what is refused.
func allowedCommits(q *kmsg.OffsetCommitRequest, each checkPartition) (*kmsg.OffsetCommitRequest, refusedCommits) {
	if each == nil {
		return q, nil
	}
	allowed := *q
	allowed.Topics = nil
	var refused refusedCommits
	for _, t := range q.Topics {
		no := kmsg.OffsetCommitResponseTopic{Topic: t.Topic, TopicID: t.TopicID}
		yes := t
		yes.Partitions = nil
		for _, p := range t.Partitions {
			if r := each(t.Topic, t.TopicID, p.Partition); r != nil {
				no.Partitions = append(no.Partitions, kmsg.OffsetCommitResponseTopicPartition{Partition: p.Partition, ErrorCode: r.Kind.Code})
				continue
			}
			yes.Partitions = append(yes.Partitions, p)
		}
		if len(yes.Partitions) > 0 {
			allowed.Topics = append(allowed.Topics, yes)
		}
		if len(no.Partitions) > 0 {
			refused = append(refused, no)
		}
	}
	return &allowed, refused
}

// identify fills in the name or the id of a topic, whichever the version does
// not have. It refuses a topic that does not exist.
func (m *Machine) identify(version int16, name *string, id *[16]byte) *kerr.Error {
	var ok bool
	if version >= topicIDsSince {
		if *name, ok = m.world.TopicName(*id); !ok {
			return kerr.UnknownTopicID
		}
		return nil
	}
	if *id, ok = m.world.topicID(*name); !ok {
		return kerr.UnknownTopicOrPartition
	}
	return nil
}

// fetch answers for the groups of the request, which are this machine's.
func (m *Machine) fetch(q *kmsg.OffsetFetchRequest) *kmsg.OffsetFetchResponse {
	response := kmsg.NewPtrOffsetFetchResponse()
	for i := range q.Groups {
		response.Groups = append(response.Groups, m.fetchGroup(q.Version, &q.Groups[i]))
	}
	return response
}

func (m *Machine) fetchGroup(version int16, q *kmsg.OffsetFetchRequestGroup) kmsg.OffsetFetchResponseGroup {
	if e := m.groups[q.Group]; e != nil && e.consumer != nil {
		if refused := e.consumer.CheckFetch(q.MemberID, q.MemberEpoch); refused != nil {
			return offsets.RefuseFetch(q, refused.Kind)
		}
	}
	if q.Topics == nil {
		return m.fetchAll(version, q)
	}
	asked := *q
	asked.Topics = nil
	var unknown []kmsg.OffsetFetchResponseGroupTopic
	for _, t := range q.Topics {
		if version < topicIDsSince {
			asked.Topics = append(asked.Topics, t)
			continue
		}
		if kind := m.identify(version, &t.Topic, &t.TopicID); kind != nil {
			unknown = append(unknown, unknownTopic(t, kind))
			continue
		}
		asked.Topics = append(asked.Topics, t)
	}
	if asked.Topics == nil {
		asked.Topics = []kmsg.OffsetFetchRequestGroupTopic{}
	}
	response := m.offsets.Fetch(&asked, m.world.topicID)
	response.Topics = append(response.Topics, unknown...)
	return response
}

// fetchAll leaves out what a version with topic ids cannot name.
func (m *Machine) fetchAll(version int16, q *kmsg.OffsetFetchRequestGroup) kmsg.OffsetFetchResponseGroup {
	response := m.offsets.Fetch(q, m.world.topicID)
	if version < topicIDsSince {
		return response
	}
	named := response.Topics[:0]
	for _, t := range response.Topics {
		if t.TopicID != ([16]byte{}) {
			named = append(named, t)
		}
	}
	response.Topics = named
	return response
}

func unknownTopic(t kmsg.OffsetFetchRequestGroupTopic, kind *kerr.Error) kmsg.OffsetFetchResponseGroupTopic {
	topic := kmsg.OffsetFetchResponseGroupTopic{Topic: t.Topic, TopicID: t.TopicID}
	for _, number := range t.Partitions {
		empty := ""
		topic.Partitions = append(topic.Partitions, kmsg.OffsetFetchResponseGroupTopicPartition{
			Partition: number, Offset: -1, LeaderEpoch: -1, Metadata: &empty, ErrorCode: kind.Code,
		})
	}
	return topic
}

func (m *Machine) deleteOffsets(now int64, to step.Token, q *kmsg.OffsetDeleteRequest, out *step.Output) {
	e := m.groups[q.Group]
	var kind *kerr.Error
	switch {
	case q.Group == "":
		kind = kerr.InvalidGroupID
	case e == nil:
		kind = kerr.GroupIDNotFound
	case e.consumer == nil && e.classic.Size() > 0 && e.classic.ProtocolType() != step.ConsumerProtocol:
		// What the members consume is known to nobody but themselves.
		kind = kerr.NonEmptyGroup
	}
	if kind != nil {
		out.Answer(to, Refuse(q, kind))
		return
	}
	existing, unknown := m.existing(q)
	records, response := m.offsets.Delete(existing, e.subscribes)
	response.Topics = mergeDeleted(response.Topics, unknown)
	m.write(records, out)
	out.Answer(to, response)
	m.settle(now, e, out)
}

// mergeDeleted has each topic once.
func mergeDeleted(topics, unknown []kmsg.OffsetDeleteResponseTopic) []kmsg.OffsetDeleteResponseTopic {
	for _, no := range unknown {
		at := slices.IndexFunc(topics, func(t kmsg.OffsetDeleteResponseTopic) bool { return t.Topic == no.Topic })
		if at < 0 {
			topics = append(topics, no)
		} else {
			topics[at].Partitions = append(topics[at].Partitions, no.Partitions...)
		}
	}
	return topics
}

// existing splits off the partitions of a request that do not exist.
func (m *Machine) existing(q *kmsg.OffsetDeleteRequest) (*kmsg.OffsetDeleteRequest, []kmsg.OffsetDeleteResponseTopic) {
	existing := *q
	existing.Topics = nil
	var unknown []kmsg.OffsetDeleteResponseTopic
	for _, t := range q.Topics {
		topic, exists := m.world.Topic(t.Topic)
		no := kmsg.OffsetDeleteResponseTopic{Topic: t.Topic}
		partitions := t.Partitions
		t.Partitions = nil
		for _, p := range partitions {
			if hasPartition(topic, p.Partition) {
				t.Partitions = append(t.Partitions, p)
				continue
			}
			no.Partitions = append(no.Partitions, kmsg.OffsetDeleteResponseTopicPartition{
				Partition: p.Partition, ErrorCode: kerr.UnknownTopicOrPartition.Code,
			})
		}
		if len(t.Partitions) > 0 {
			existing.Topics = append(existing.Topics, t)
		}
		if !exists || len(no.Partitions) > 0 {
			unknown = append(unknown, no)
		}
	}
	return &existing, unknown
}

// subscribes says whether a member consumes a topic. Where the members do not
// say, they may.
func (e *entry) subscribes(topic string) bool {
	if e.consumer != nil {
		return e.consumer.Subscribes(topic)
	}
	topics, known := e.classic.SubscribedTopics()
	if !known {
		return e.classic.ProtocolType() == step.ConsumerProtocol && e.classic.Size() > 0
	}
	_, subscribed := topics[topic]
	return subscribed
}
