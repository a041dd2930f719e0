package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// heartbeatAPI is Heartbeat, by which members of classic groups stay in them and
// learn of rebalances. From version 3 it has group.instance.id, and version 4 is
// flexible.
func heartbeatAPI() *api {
	return aboutGroup(api{key: 12, name: "Heartbeat", min: 0, max: 4, flexibleFrom: 4},
		func(q *kmsg.HeartbeatRequest) string { return q.Group },
		`group:string generation:int32 member:string instance:string?@3+`)
}
