package kgoadapter

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/assignor"
)

// syncPlan is a plan of kgo with the members' user data, for which kgo has no
// place. Both are by member ID.
type syncPlan struct {
	partitions map[string]map[string][]int32
	userData   map[string][]byte
}

func userDataOf(s snapshot, assignment assignor.Assignment) map[string][]byte {
	data := make(map[string][]byte)
	for i, member := range assignment.Members {
		data[s.Members[i].ID] = member.UserData
	}
	return data
}

func (p *syncPlan) IntoSyncAssignment() []kmsg.SyncGroupRequestGroupAssignment {
	var answers []kmsg.SyncGroupRequestGroupAssignment
	for _, id := range slices.Sorted(maps.Keys(p.partitions)) {
		answer := kmsg.NewSyncGroupRequestGroupAssignment()
		answer.MemberID, answer.MemberAssignment = id, p.encode(id)
		answers = append(answers, answer)
	}
	return answers
}

func (p *syncPlan) encode(id string) []byte {
	assignment := kmsg.NewConsumerMemberAssignment()
	assignment.UserData = p.userData[id]
	for _, name := range slices.Sorted(maps.Keys(p.partitions[id])) {
		topic := kmsg.NewConsumerMemberAssignmentTopic()
		topic.Topic, topic.Partitions = name, slices.Sorted(slices.Values(p.partitions[id][name]))
		assignment.Topics = append(assignment.Topics, topic)
	}
	return assignment.AppendTo(nil)
}
