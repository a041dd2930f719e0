package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// listGroupsAPI is ListGroups: the groups that this broker coordinates. Version
// 3 is flexible, version 4 asks for states (KIP-518) and version 5 for types.
func listGroupsAPI() *api {
	return decoded(api{key: 16, name: "ListGroups", min: 0, max: 5, flexibleFrom: 3}, listGroups,
		`states:[string]@4+ types:[string]@5+`)
}

func listGroups(_ context.Context, b *Backend, _ *Caller, q *kmsg.ListGroupsRequest) *kmsg.ListGroupsResponse {
	response := kmsg.NewPtrListGroupsResponse()
	groups, kind := b.Groups.List(q)
	if kind != nil {
		response.ErrorCode = kind.Code
	}
	response.Groups = groups
	return response
}
