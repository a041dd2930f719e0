package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// incrementalAlterConfigsAPI is IncrementalAlterConfigs (KIP-339).
func incrementalAlterConfigsAPI() *api {
	return decoded(api{key: 44, name: "IncrementalAlterConfigs", min: 0, max: 1, flexibleFrom: 1}, incrementalAlterConfigs,
		`resources:[type:int8 name:string configs:[name:string operation:int8 value:string?]] validate_only:bool`)
}

func incrementalAlterConfigs(
	ctx context.Context, b *Backend, _ *Caller, q *kmsg.IncrementalAlterConfigsRequest,
) *kmsg.IncrementalAlterConfigsResponse {
	changes := make([]metadata.ConfigChange, len(q.Resources))
	for n, asked := range q.Resources {
		changes[n].Resource = metadata.Resource{Type: metadata.ResourceType(asked.ResourceType), Name: asked.ResourceName}
		for _, c := range asked.Configs {
			changes[n].Operations = append(changes[n].Operations, metadata.ConfigOperation{
				Name: c.Name, Kind: metadata.OperationKind(c.Op), Value: c.Value,
			})
		}
	}
	response := kmsg.NewPtrIncrementalAlterConfigsResponse()
	for n, refused := range changeConfigs(ctx, b, changes, q.ValidateOnly) {
		r := kmsg.NewIncrementalAlterConfigsResponseResource()
		r.ResourceType, r.ResourceName = q.Resources[n].ResourceType, q.Resources[n].ResourceName
		r.ErrorCode, r.ErrorMessage = refused.Outcome()
		response.Resources = append(response.Resources, r)
	}
	return response
}
