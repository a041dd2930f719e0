package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// alterConfigsAPI is AlterConfigs. What the request does not name is removed:
// IncrementalAlterConfigs has taken its place (KIP-339).
func alterConfigsAPI() *api {
	return decoded(api{key: 33, name: "AlterConfigs", min: 0, max: 2, flexibleFrom: 2}, alterConfigs,
		`resources:[type:int8 name:string configs:[name:string value:string?]] validate_only:bool`)
}

func alterConfigs(ctx context.Context, b *Backend, _ *Caller, q *kmsg.AlterConfigsRequest) *kmsg.AlterConfigsResponse {
	changes := make([]metadata.ConfigChange, len(q.Resources))
	for n, asked := range q.Resources {
		changes[n].Resource = metadata.Resource{Type: metadata.ResourceType(asked.ResourceType), Name: asked.ResourceName}
		changes[n].Replace = true
		for _, c := range asked.Configs {
			changes[n].Operations = append(changes[n].Operations, metadata.ConfigOperation{Name: c.Name, Value: c.Value})
		}
	}
	response := kmsg.NewPtrAlterConfigsResponse()
	for n, refused := range changeConfigs(ctx, b, changes, q.ValidateOnly) {
		r := kmsg.NewAlterConfigsResponseResource()
		r.ResourceType, r.ResourceName = q.Resources[n].ResourceType, q.Resources[n].ResourceName
		r.ErrorCode, r.ErrorMessage = refused.Outcome()
		response.Resources = append(response.Resources, r)
	}
	return response
}
