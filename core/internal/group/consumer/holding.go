package consumer

import (
	"bytes"
	"cmp"
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
	return cmp.Or(bytes.Compare(p.topic[:], q.topic[:]), cmp.Compare(p.partition, q.partition))
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
	var holding []held
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
	for i, h := range holding {
		if i == 0 || holding[i-1].topic != h.topic {
			topics = append(topics, grouplog.AssignedPartitions{TopicPartitions: grouplog.TopicPartitions{TopicID: h.topic}})
		}
		last := &topics[len(topics)-1]
		last.Partitions = append(last.Partitions, h.partition)
		last.Epochs = append(last.Epochs, h.epoch)
	}
	return topics
}

// placesOf reads a set of places as the log has it, in any order.
func placesOf(topics []grouplog.TopicPartitions) []place {
	var places []place
	for _, topic := range topics {
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
	for i, p := range places {
		if i == 0 || places[i-1].topic != p.topic {
			topics = append(topics, grouplog.TopicPartitions{TopicID: p.topic})
		}
		last := &topics[len(topics)-1]
		last.Partitions = append(last.Partitions, p.partition)
	}
	return topics
}

func placesHeld(holding []held) []place {
	places := make([]place, len(holding))
	for i, h := range holding {
		places[i] = h.place
	}
	return places
}
