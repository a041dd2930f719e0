package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// consumerGroupHeartbeatAPI is ConsumerGroupHeartbeat (KIP-848), by which
// members join, leave, say what they have and learn what they are to have. In
// version 1 the client makes the member id, and may subscribe by a regular
// expression.
func consumerGroupHeartbeatAPI() *api {
	return ofKIP848(aboutGroup(api{key: 68, name: "ConsumerGroupHeartbeat", min: 0, max: 1, flexibleFrom: 0},
		func(q *kmsg.ConsumerGroupHeartbeatRequest) string { return q.Group },
		`group:string member:string epoch:int32 instance:string? rack:string? rebalance:int32 topics:[string]? regex:string?@1+
		assignor:string? owned:[id:uuid partitions:[int32]]?`))
}
