package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// joinGroupAPI is JoinGroup, answered when the members of the group have
// joined.
//
//	v1 a rebalance timeout of its own
//	v4 a member id has to be given out first (KIP-394)
//	v5 group.instance.id (KIP-345)
//	v6 flexible
//	v7 the type of the protocol in the answer
//	v8 a reason (KIP-800)
//	v9 the leader may skip its assignment (KIP-814)
func joinGroupAPI() *api {
	return aboutGroup(api{key: 11, name: "JoinGroup", min: 0, max: 9, flexibleFrom: 6},
		func(q *kmsg.JoinGroupRequest) string { return q.Group },
		`group:string session:int32 rebalance:int32@1+ member:string instance:string?@5+ type:string
		protocols:[name:string metadata:bytes] reason:string?@8+`)
}
