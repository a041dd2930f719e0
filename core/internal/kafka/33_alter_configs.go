package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// alterConfigs serves AlterConfigs, versions 0 to 2. What the request does not
// name is removed: IncrementalAlterConfigs has taken its place (KIP-339).
func alterConfigs(ctx context.Context, b *Backend, _ *Caller, req *kmsg.AlterConfigsRequest) *kmsg.AlterConfigsResponse {
	changes := make([]metadata.ConfigChange, len(req.Resources))
	for n, asked := range req.Resources {
		changes[n].Resource = metadata.Resource{Type: metadata.ResourceType(asked.ResourceType), Name: asked.ResourceName}
		changes[n].Replace = true
		for _, c := range asked.Configs {
			changes[n].Operations = append(changes[n].Operations, metadata.ConfigOperation{Name: c.Name, Value: c.Value})
		}
	}
	resp := kmsg.NewPtrAlterConfigsResponse()
	for n, failure := range changeConfigs(ctx, b, changes, req.ValidateOnly) {
		r := kmsg.NewAlterConfigsResponseResource()
		r.ResourceType, r.ResourceName = req.Resources[n].ResourceType, req.Resources[n].ResourceName
		r.ErrorCode, r.ErrorMessage = outcome(failure)
		resp.Resources = append(resp.Resources, r)
	}
	return resp
}
