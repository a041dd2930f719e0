package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// syncGroupAPI is SyncGroup, answered when the leader's has come: that has the
// assignments of all. Version 3 has group.instance.id, version 4 is flexible,
// and from version 5 the protocol is checked and answered.
func syncGroupAPI() *api {
	return aboutGroup(api{key: 14, name: "SyncGroup", min: 0, max: 5, flexibleFrom: 4},
		func(q *kmsg.SyncGroupRequest) string { return q.Group },
		`group:string generation:int32 member:string instance:string?@3+ type:string?@5+ protocol:string?@5+
		assignments:[member:string assignment:bytes]`)
}
