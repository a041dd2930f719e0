// Package golden has assignments that the assignors of Kafka's Java client made,
// recorded from the client itself (testdata/README.md says how).
package golden

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"

	"odradek.dev/sdk/assignor"
)

// Case is one group and what Java made of it.
type Case struct {
	Snapshot          assignor.Snapshot
	Range, RoundRobin assignor.Assignment
}

//go:embed testdata/java-4.4.0.jsonl
var recorded embed.FS

type line struct {
	Members []struct {
		ID, Instance, Rack string
		Topics             []string
	}
	Topics []struct {
		Name  string
		Racks [][]string
	}
	Range, RoundRobin [][]assignor.TopicPartitions
}

// Java is groups of Kafka's Java client 4.4.0. It panics on a file that does not
// parse: the file is part of the build.
func Java() []Case {
	text, err := recorded.ReadFile("testdata/java-4.4.0.jsonl")
	if err != nil {
		panic(err)
	}
	var cases []Case
	for lines := json.NewDecoder(bytes.NewReader(text)); lines.More(); {
		var l line
		if err := lines.Decode(&l); err != nil {
			panic(fmt.Sprintf("java-4.4.0.jsonl line %d: %v", len(cases)+1, err))
		}
		cases = append(cases, Case{Snapshot: l.snapshot(), Range: answer(l.Range), RoundRobin: answer(l.RoundRobin)})
	}
	return cases
}

func (l *line) snapshot() assignor.Snapshot {
	snapshot := assignor.Snapshot{Group: "g"}
	for _, m := range l.Members {
		snapshot.Members = append(snapshot.Members, assignor.Member{
			ID: m.ID, InstanceID: m.Instance, Rack: m.Rack, Topics: m.Topics, Generation: -1,
		})
	}
	for _, t := range l.Topics {
		snapshot.Topics = append(snapshot.Topics, assignor.Topic{Name: t.Name, Partitions: int32(len(t.Racks)), Racks: t.Racks})
	}
	return snapshot
}

func answer(members [][]assignor.TopicPartitions) assignor.Assignment {
	var assignment assignor.Assignment
	for _, partitions := range members {
		if len(partitions) == 0 {
			partitions = nil
		}
		assignment.Members = append(assignment.Members, assignor.MemberAssignment{Partitions: partitions})
	}
	return assignment
}
