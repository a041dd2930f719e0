package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// offsetCommitAPI is OffsetCommit.
//
//	v2-4 a retention of its own
//	v6   leader epochs
//	v7   group.instance.id
//	v8   flexible
//	v9   members of KIP-848, and GROUP_ID_NOT_FOUND
//	v10  topic ids
func offsetCommitAPI() *api {
	return aboutGroup(api{key: 8, name: "OffsetCommit", min: 2, max: 10, flexibleFrom: 8},
		func(q *kmsg.OffsetCommitRequest) string { return q.Group },
		`group:string generation:int32 member:string instance:string?@7+ retention:int64@2-4
		topics:[name:string@0-9 id:uuid@10+ partitions:[index:int32 offset:int64 epoch:int32@6+ metadata:string?]]`)
}
