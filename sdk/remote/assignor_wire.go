package remote

import (
	"odradek.dev/sdk/assignor"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

func snapshotToWire(s assignor.Snapshot) *modulev1.AssignRequest {
	r := &modulev1.AssignRequest{Group: s.Group}
	for _, m := range s.Members {
		r.Members = append(r.Members, &modulev1.GroupMember{
			Id: m.ID, InstanceId: m.InstanceID, Rack: m.Rack, Topics: m.Topics,
			UserData: m.UserData, Owned: partitionsToWire(m.Owned), Generation: m.Generation,
		})
	}
	for _, t := range s.Topics {
		topic := &modulev1.GroupTopic{Name: t.Name, Partitions: t.Partitions, Lags: t.Lags}
		for _, racks := range t.Racks {
			topic.Racks = append(topic.Racks, &modulev1.Racks{Names: racks})
		}
		r.Topics = append(r.Topics, topic)
	}
	return r
}

func snapshotFromWire(r *modulev1.AssignRequest) assignor.Snapshot {
	s := assignor.Snapshot{Group: r.GetGroup()}
	for _, m := range r.GetMembers() {
		s.Members = append(s.Members, assignor.Member{
			ID: m.GetId(), InstanceID: m.GetInstanceId(), Rack: m.GetRack(), Topics: m.GetTopics(),
			UserData: m.UserData, Owned: partitionsFromWire(m.GetOwned()), Generation: m.GetGeneration(),
		})
	}
	for _, t := range r.GetTopics() {
		topic := assignor.Topic{Name: t.GetName(), Partitions: t.GetPartitions(), Lags: t.GetLags()}
		for _, racks := range t.GetRacks() {
			topic.Racks = append(topic.Racks, racks.GetNames())
		}
		s.Topics = append(s.Topics, topic)
	}
	return s
}

func assignmentToWire(a assignor.Assignment) *modulev1.AssignResponse {
	r := &modulev1.AssignResponse{}
	for _, m := range a.Members {
		r.Members = append(r.Members, &modulev1.MemberAssignment{
			Partitions: partitionsToWire(m.Partitions), UserData: m.UserData,
		})
	}
	return r
}

func assignmentFromWire(r *modulev1.AssignResponse) assignor.Assignment {
	var a assignor.Assignment
	for _, m := range r.GetMembers() {
		a.Members = append(a.Members, assignor.MemberAssignment{
			Partitions: partitionsFromWire(m.GetPartitions()), UserData: m.UserData,
		})
	}
	return a
}

func partitionsToWire(list []assignor.TopicPartitions) []*modulev1.TopicPartitions {
	var out []*modulev1.TopicPartitions
	for _, t := range list {
		out = append(out, &modulev1.TopicPartitions{Topic: t.Topic, Partitions: t.Partitions})
	}
	return out
}

func partitionsFromWire(list []*modulev1.TopicPartitions) []assignor.TopicPartitions {
	var out []assignor.TopicPartitions
	for _, t := range list {
		out = append(out, assignor.TopicPartitions{Topic: t.GetTopic(), Partitions: t.GetPartitions()})
	}
	return out
}
