package consumer

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"odradek.dev/core/internal/group/grouplog"
)

// place is one partition of one topic. Sets of places are slices, ascending and
// without duplicates; so are sets of held.
type place struct {
	topic     [16]byte
	partition int32
}

func (p place) compare(q place) int {
	if p.topic != q.topic {
		return bytes.Compare(p.topic[:], q.topic[:])
	}
	return cmp.Compare(p.partition, q.partition)
}

func (p place) topicID() [16]byte { return p.topic }

// eachTopic yields the parts of a set that are of one topic each.
func eachTopic[P interface{ topicID() [16]byte }](set []P) iter.Seq[[]P] {
	return func(yield func([]P) bool) {
		for len(set) > 0 {
			topic, n := set[0].topicID(), 1
			for n < len(set) && set[n].topicID() == topic {
				n++
			}
			if !yield(set[:n]) {
				return
			}
			set = set[n:]
		}
	}
}

// held is a place that a member has, and the member epoch at which it got it.
type held struct {
	place
	epoch int32
}

func compareHeld(a, b held) int          { return a.compare(b.place) }
func compareHeldTo(a held, at place) int { return a.compare(at) }

// find returns the epoch at which a place came into a holding.
func find(holding []held, at place) (epoch int32, ok bool) {
	i, ok := slices.BinarySearchFunc(holding, at, compareHeldTo)
	if !ok {
		return 0, false
	}
	return holding[i].epoch, true
}

// split parts a holding into what is in the target and what is not.
func split(holding []held, target []place) (kept, rest []held) {
	for _, h := range holding {
		if _, wanted := slices.BinarySearchFunc(target, h.place, place.compare); wanted {
			kept = append(kept, h)
		} else {
			rest = append(rest, h)
		}
	}
	return kept, rest
}

// merge joins two holdings that have no place in common.
func merge(a, b []held) []held {
	if len(b) == 0 {
		return a
	}
	both := append(slices.Clone(a), b...)
	slices.SortFunc(both, compareHeld)
	return both
}

// holdingOf reads a holding as the log has it, in any order. Records of older
// releases have no epochs: then it is the epoch of the member.
func holdingOf(assigned []grouplog.AssignedPartitions, memberEpoch int32) []held {
	count := 0
	for _, topic := range assigned {
		count += len(topic.Partitions)
	}
	holding := make([]held, 0, count)
	for _, topic := range assigned {
		for i, partition := range topic.Partitions {
			epoch := memberEpoch
			if i < len(topic.Epochs) {
				epoch = topic.Epochs[i]
			}
			holding = append(holding, held{place{topic.TopicID, partition}, epoch})
		}
	}
	slices.SortFunc(holding, compareHeld)
	return slices.CompactFunc(holding, func(a, b held) bool { return a.place == b.place })
}

// recorded is a holding as the log has it.
func recorded(holding []held) []grouplog.AssignedPartitions {
	var topics []grouplog.AssignedPartitions
	for part := range eachTopic(holding) {
		numbers := make([]int32, 2*len(part))
		topic := grouplog.AssignedPartitions{Epochs: numbers[len(part):]}
		topic.TopicID, topic.Partitions = part[0].topic, numbers[:len(part):len(part)]
		for i, h := range part {
			topic.Partitions[i], topic.Epochs[i] = h.partition, h.epoch
		}
		topics = append(topics, topic)
	}
	return topics
}

// placesOf reads a set of places as the log has it, in any order.
func placesOf(topics []grouplog.TopicPartitions) []place {
	var places []place
	for _, topic := range topics {
		places = slices.Grow(places, len(topic.Partitions))
		for _, partition := range topic.Partitions {
			places = append(places, place{topic.TopicID, partition})
		}
	}
	slices.SortFunc(places, place.compare)
	return slices.Compact(places)
}

// byTopic is a set of places as the log has it.
func byTopic(places []place) []grouplog.TopicPartitions {
	var topics []grouplog.TopicPartitions
	for part := range eachTopic(places) {
		topics = append(topics, grouplog.TopicPartitions{TopicID: part[0].topic, Partitions: partitionsOf(part)})
	}
	return topics
}

func partitionsOf(places []place) []int32 {
	partitions := make([]int32, len(places))
	for i, p := range places {
		partitions[i] = p.partition
	}
	return partitions
}

func placesHeld(holding []held) []place {
	places := make([]place, len(holding))
	for i, h := range holding {
		places[i] = h.place
	}
	return places
}
