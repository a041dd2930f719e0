package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// leaveGroupAPI is LeaveGroup. From version 3 several members leave at a time,
// by their group.instance.id too, so that an administrator can have them leave
// (KIP-345); version 4 is flexible, and version 5 has reasons (KIP-800).
func leaveGroupAPI() *api {
	return aboutGroup(api{key: 13, name: "LeaveGroup", min: 0, max: 5, flexibleFrom: 4},
		func(q *kmsg.LeaveGroupRequest) string { return q.Group },
		`group:string member:string@0-2 members:[member:string instance:string? reason:string?@5+]@3+`)
}
