package differential

import (
	"cmp"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// session is a fetch session as its client sees it.
type session struct {
	// epoch is the next one; ids says that topics are named by their ids in it.
	epoch int32
	ids   bool
}

func (d *draw) fetch(q kmsg.Request) {
	f := q.(*kmsg.FetchRequest)
	f.MaxWaitMillis = pick[int32](d, 0, 0, 0, 1, 5)
	f.MinBytes = pick[int32](d, 0, 1, 1, 1<<20, -1)
	f.MaxBytes = pick[int32](d, 1<<20, 50<<20, 50<<20, 50<<20, 1, 0, -1)
	f.IsolationLevel = pick[int8](d, 0, 0, 1)
	f.ReplicaID, f.ReplicaState.ID = -1, -1
	d.session(f)
	if f.SessionEpoch == -1 && d.chance(8) {
		f.ReplicaID = 2
		if f.Version >= 15 { // a tag that a version does not have is sent all the same
			f.ReplicaState.ID, f.ReplicaState.Epoch = f.ReplicaID, -1
		}
	}
	for range pick(d, 0, 1, 1, 1, 2, 3) {
		f.Topics = append(f.Topics, d.fetchTopic())
	}
	if f.Version == 12 && f.SessionEpoch >= 0 {
		// A diverging epoch has no place in older versions, which go on with the
		// same session; Kafka fails on the answer then.
		for _, t := range f.Topics {
			for n := range t.Partitions {
				t.Partitions[n].LastFetchedEpoch = -1
			}
		}
	}
	if d.chance(3) {
		forgotten := kmsg.NewFetchRequestForgottenTopic()
		forgotten.Topic = d.topic()
		forgotten.TopicID = topicPlaceholder(forgotten.Topic)
		forgotten.Partitions = []int32{d.partition(), 0}
		f.ForgottenTopics = append(f.ForgottenTopics, forgotten)
	}
}

// gather puts the partitions of a topic together. Kafka answers those that are not
// there behind all others, and then names their topic again; no reader minds.
func gather(response *kmsg.FetchResponse) {
	type topic struct {
		name string
		id   [16]byte
	}
	at := map[topic]int{}
	var topics []kmsg.FetchResponseTopic
	for _, t := range response.Topics {
		key := topic{t.Topic, t.TopicID}
		n, known := at[key]
		if !known {
			n = len(topics)
			at[key], topics = n, append(topics, t)
			continue
		}
		topics[n].Partitions = append(topics[n].Partitions, t.Partitions...)
	}
	// Of a topic that was created again there may be both ids, under one name.
	slices.SortStableFunc(topics, func(a, b kmsg.FetchResponseTopic) int { return cmp.Compare(unknownID(a), unknownID(b)) })
	response.Topics = topics
}

// unknownID is 1 for a topic that is not there.
func unknownID(t kmsg.FetchResponseTopic) int {
	if len(t.Partitions) > 0 && t.Partitions[0].ErrorCode == kerr.UnknownTopicID.Code {
		return 1
	}
	return 0
}

func (d *draw) fetchTopic() kmsg.FetchRequestTopic {
	t := kmsg.NewFetchRequestTopic()
	t.Topic = d.topic()
	t.TopicID = topicPlaceholder(t.Topic)
	for range pick(d, 0, 1, 1, 1, 1, 2) {
		p := kmsg.NewFetchRequestTopicPartition()
		p.Partition = d.partition()
		p.CurrentLeaderEpoch = pick[int32](d, -1, -1, -1, 0, 0, 1, -2)
		p.FetchOffset = pick[int64](d, 0, 0, 0, 1, 2, 5, 20, 50, 100, 100_000, -1, 1<<62)
		p.LastFetchedEpoch = pick[int32](d, -1, -1, -1, 0, 1)
		p.PartitionMaxBytes = pick[int32](d, 1<<20, 1<<20, 1<<20, 100, 1, 0, -1)
		t.Partitions = append(t.Partitions, p)
	}
	return t
}

// session begins one, goes on with one, ends one, or is wrong about one.
func (d *draw) session(f *kmsg.FetchRequest) {
	f.SessionID, f.SessionEpoch = 0, -1
	switch {
	case f.Version < 7 || d.chance(2):
	case d.chance(4):
		f.SessionEpoch = 0
		d.sessions = append(d.sessions, session{epoch: 1, ids: f.Version >= 13})
	case d.chance(8) || len(d.sessions) == 0:
		f.SessionID = pick(d, 0, 77, firstSession+int32(len(d.sessions)))
		f.SessionEpoch = pick[int32](d, 1, 5, -2, 0)
	default:
		n := len(d.sessions) - 1 - d.IntN(min(len(d.sessions), 4))
		f.SessionID, f.SessionEpoch = firstSession+int32(n), d.sessions[n].epoch
		switch {
		case d.chance(8):
			f.SessionEpoch = pick(d, 0, -1, f.SessionEpoch+1, f.SessionEpoch-1)
		case d.sessions[n].ids == (f.Version >= 13):
			d.sessions[n].epoch++
		}
	}
}
