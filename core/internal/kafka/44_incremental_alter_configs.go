package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// incrementalAlterConfigs serves IncrementalAlterConfigs, versions 0 and 1
// (KIP-339).
func incrementalAlterConfigs(
	ctx context.Context, b *Backend, _ *Caller, req *kmsg.IncrementalAlterConfigsRequest,
) *kmsg.IncrementalAlterConfigsResponse {
	changes := make([]metadata.ConfigChange, len(req.Resources))
	for n, asked := range req.Resources {
		changes[n].Resource = metadata.Resource{Type: metadata.ResourceType(asked.ResourceType), Name: asked.ResourceName}
		for _, c := range asked.Configs {
			changes[n].Operations = append(changes[n].Operations, metadata.ConfigOperation{
				Name: c.Name, Kind: metadata.OperationKind(c.Op), Value: c.Value,
			})
		}
	}
	resp := kmsg.NewPtrIncrementalAlterConfigsResponse()
	for n, failure := range changeConfigs(ctx, b, changes, req.ValidateOnly) {
		r := kmsg.NewIncrementalAlterConfigsResponseResource()
		r.ResourceType, r.ResourceName = req.Resources[n].ResourceType, req.Resources[n].ResourceName
		r.ErrorCode, r.ErrorMessage = outcome(failure)
		resp.Resources = append(resp.Resources, r)
	}
	return resp
}
