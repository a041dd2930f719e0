package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// offsetDeleteAPI is OffsetDelete (KIP-496): a group's offsets for topics that
// none of its members subscribes to. It was never made flexible.
func offsetDeleteAPI() *api {
	return aboutGroup(api{key: 47, name: "OffsetDelete", min: 0, max: 0, flexibleFrom: 1},
		func(q *kmsg.OffsetDeleteRequest) string { return q.Group },
		`group:string topics:[name:string partitions:[index:int32]]`)
}
