// Package golden has assignments that Kafka's own assignors made, those of its
// Java client and those of its broker (testdata/README.md says how they were
// recorded).
package golden

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"odradek.dev/sdk/assignor"
)

// Case is one group and what Kafka made of it. An answer is nil where Kafka
// threw an exception, gave a partition twice or to somebody who does not
// subscribe, or forgot one.
type Case struct {
	Snapshot assignor.Snapshot
	// Range, RoundRobin and Sticky are the client's assignors.
	Range, RoundRobin, Sticky *assignor.Assignment
	// CooperativeSticky is the client's too. It leaves out what a member has to
	// give up before the next one may get it.
	CooperativeSticky *assignor.Assignment
	// ServerRange and Uniform are the assignors of the broker. The tables that
	// they were given are in ascending order of members, topics and partitions.
	ServerRange, Uniform *assignor.Assignment
}

//go:embed testdata/kafka-4.4.0.jsonl
var recorded embed.FS

// byTopic is partitions by the name of their topic.
type byTopic map[string][]int32

type line struct {
	Members []struct {
		ID, Instance, Rack string
		Topics             []string
		Generation         int32
		Owned              byTopic
	}
	Topics []struct {
		Name  string
		Racks [][]string
	}
	Range, RoundRobin, Sticky, CooperativeSticky, ServerRange, Uniform []byTopic
}

// Kafka is groups of Kafka 4.4.0. It panics on a file that does not parse: the
// file is part of the build.
func Kafka() []Case {
	text, err := recorded.ReadFile("testdata/kafka-4.4.0.jsonl")
	if err != nil {
		panic(err)
	}
	var cases []Case
	for lines := json.NewDecoder(bytes.NewReader(text)); lines.More(); {
		var l line
		if err := lines.Decode(&l); err != nil {
			panic(fmt.Sprintf("kafka-4.4.0.jsonl line %d: %v", len(cases)+1, err))
		}
		cases = append(cases, Case{
			Snapshot: l.snapshot(), Range: answer(l.Range), RoundRobin: answer(l.RoundRobin), Sticky: answer(l.Sticky),
			CooperativeSticky: answer(l.CooperativeSticky), ServerRange: answer(l.ServerRange), Uniform: answer(l.Uniform),
		})
	}
	return cases
}

func (l *line) snapshot() assignor.Snapshot {
	snapshot := assignor.Snapshot{Group: "g"}
	for _, m := range l.Members {
		snapshot.Members = append(snapshot.Members, assignor.Member{
			ID: m.ID, InstanceID: m.Instance, Rack: m.Rack, Topics: m.Topics, Owned: m.Owned.sorted(), Generation: m.Generation,
		})
	}
	for _, t := range l.Topics {
		snapshot.Topics = append(snapshot.Topics, assignor.Topic{Name: t.Name, Partitions: int32(len(t.Racks)), Racks: t.Racks})
	}
	return snapshot
}

func answer(members []byTopic) *assignor.Assignment {
	if members == nil {
		return nil
	}
	assignment := new(assignor.Assignment)
	for _, partitions := range members {
		assignment.Members = append(assignment.Members, assignor.MemberAssignment{Partitions: partitions.sorted()})
	}
	return assignment
}

func (b byTopic) sorted() []assignor.TopicPartitions {
	var out []assignor.TopicPartitions
	for _, topic := range slices.Sorted(maps.Keys(b)) {
		out = append(out, assignor.TopicPartitions{Topic: topic, Partitions: b[topic]})
	}
	return out
}
