package assignortest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"odradek.dev/sdk/assignor"
)

// Uniform is a group whose members all subscribe to all topics, of which there
// is one for each number of partitions. Nobody owns anything.
func Uniform(members int, partitions ...int32) assignor.Snapshot {
	snapshot := assignor.Snapshot{Group: "g"}
	var names []string
	for i, count := range partitions {
		name := fmt.Sprintf("topic-%03d", i)
		names = append(names, name)
		snapshot.Topics = append(snapshot.Topics, assignor.Topic{Name: name, Partitions: count})
	}
	for i := range members {
		snapshot.Members = append(snapshot.Members, assignor.Member{
			ID: fmt.Sprintf("member-%04d", i), Topics: slices.Clone(names), Generation: -1,
		})
	}
	return snapshot
}

// Random is a group drawn from the seed: members of mixed subscriptions, some
// static, some with racks, some with claims of which not all are true.
func Random(seed uint64) assignor.Snapshot {
	draw := rand.New(rand.NewPCG(seed, 0x617373))
	snapshot := assignor.Snapshot{Group: fmt.Sprint("g", seed)}
	for i := range 1 + draw.IntN(6) {
		snapshot.Topics = append(snapshot.Topics, randomTopic(draw, i))
	}
	for i := range 1 + draw.IntN(12) {
		snapshot.Members = append(snapshot.Members, randomMember(draw, i, snapshot.Topics))
	}
	onlySubscribed(&snapshot)
	return snapshot
}

func randomTopic(draw *rand.Rand, i int) assignor.Topic {
	topic := assignor.Topic{Name: fmt.Sprintf("topic-%d", i), Partitions: 1 + draw.Int32N(20)}
	if draw.IntN(3) > 0 {
		for range topic.Partitions {
			racks := []string{rack(draw), rack(draw)}
			slices.Sort(racks)
			topic.Racks = append(topic.Racks, slices.Compact(racks))
			topic.Lags = append(topic.Lags, draw.Int64N(1000)-1)
		}
	}
	return topic
}

func rack(draw *rand.Rand) string { return fmt.Sprint("rack-", draw.IntN(3)) }

func randomMember(draw *rand.Rand, i int, topics []assignor.Topic) assignor.Member {
	member := assignor.Member{ID: fmt.Sprintf("member-%02d", i), Generation: draw.Int32N(4) - 1}
	if draw.IntN(3) == 0 {
		member.InstanceID = fmt.Sprintf("instance-%02d", 99-i)
	}
	if draw.IntN(3) > 0 {
		member.Rack = rack(draw)
	}
	for _, topic := range topics {
		if draw.IntN(4) > 0 {
			member.Topics = append(member.Topics, topic.Name)
		}
		if owned := randomClaims(draw, topic); len(owned.Partitions) > 0 {
			member.Owned = append(member.Owned, owned)
		}
	}
	return member
}

// randomClaims may claim what is no longer subscribed or is not there.
func randomClaims(draw *rand.Rand, topic assignor.Topic) assignor.TopicPartitions {
	claims := assignor.TopicPartitions{Topic: topic.Name}
	for p := range topic.Partitions + 2 {
		if draw.IntN(4) == 0 {
			claims.Partitions = append(claims.Partitions, p)
		}
	}
	return claims
}

// onlySubscribed leaves out the topics that nobody subscribes to, as a host does.
func onlySubscribed(snapshot *assignor.Snapshot) {
	snapshot.Topics = slices.DeleteFunc(snapshot.Topics, func(topic assignor.Topic) bool {
		return !slices.ContainsFunc(snapshot.Members, func(m assignor.Member) bool { return slices.Contains(m.Topics, topic.Name) })
	})
}

// Settle returns the snapshot as it is once its members consume what the
// assignment gives them.
func Settle(snapshot assignor.Snapshot, assignment assignor.Assignment, generation int32) assignor.Snapshot {
	settled := Clone(snapshot)
	for i := range settled.Members {
		settled.Members[i].Owned = assignment.Members[i].Partitions
		settled.Members[i].Generation = generation
	}
	return settled
}

// Clone copies a snapshot down to its last byte.
func Clone(s assignor.Snapshot) assignor.Snapshot {
	s.Members = slices.Clone(s.Members)
	for i := range s.Members {
		m := &s.Members[i]
		m.Topics, m.UserData, m.Owned = slices.Clone(m.Topics), slices.Clone(m.UserData), slices.Clone(m.Owned)
		for j := range m.Owned {
			m.Owned[j].Partitions = slices.Clone(m.Owned[j].Partitions)
		}
	}
	s.Topics = slices.Clone(s.Topics)
	for i := range s.Topics {
		topic := &s.Topics[i]
		topic.Lags, topic.Racks = slices.Clone(topic.Lags), slices.Clone(topic.Racks)
		for j := range topic.Racks {
			topic.Racks[j] = slices.Clone(topic.Racks[j])
		}
	}
	return s
}
