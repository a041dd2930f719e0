package kafka

import (
	"context"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// listConfigResourcesAPI is ListConfigResources. Version 0 lists subscriptions
// to client metrics (KIP-714); from version 1 the types are named, none for all
// (KIP-1142).
func listConfigResourcesAPI() *api {
	return decoded(api{key: 74, name: "ListConfigResources", min: 0, max: 1, flexibleFrom: 0}, listConfigResources,
		`types:[int8]@1+`)
}

func listConfigResources(_ context.Context, b *Backend, _ *Caller, q *kmsg.ListConfigResourcesRequest) *kmsg.ListConfigResourcesResponse {
	listed := []metadata.ResourceType{
		metadata.GroupResource, metadata.ClientMetricsResource, loggerResource, metadata.BrokerResource, metadata.TopicResource,
	}
	response := kmsg.NewPtrListConfigResourcesResponse()
	asked := make([]metadata.ResourceType, len(q.ResourceTypes))
	for n, t := range q.ResourceTypes {
		if asked[n] = metadata.ResourceType(t); !slices.Contains(listed, asked[n]) {
			response.ErrorCode = kerr.UnsupportedVersion.Code
			return response
		}
	}
	if q.Version == 0 {
		asked = []metadata.ResourceType{metadata.ClientMetricsResource}
	}
	image := b.Controller.Image()
	for _, t := range listed {
		if len(asked) > 0 && !slices.Contains(asked, t) {
			continue
		}
		for _, name := range resourceNames(image, t) {
			r := kmsg.NewListConfigResourcesResponseConfigResource()
			r.Type, r.Name = int8(t), name
			response.ConfigResources = append(response.ConfigResources, r)
		}
	}
	return response
}

// resourceNames are ascending.
func resourceNames(image *metadata.Image, t metadata.ResourceType) []string {
	var names []string
	switch t {
	case metadata.TopicResource:
		for topic := range image.Topics() {
			names = append(names, topic.Name)
		}
	case metadata.BrokerResource, loggerResource:
		for _, broker := range image.Brokers() {
			names = append(names, strconv.FormatInt(int64(broker.ID), 10))
		}
	case metadata.ClientMetricsResource, metadata.GroupResource:
		names = image.Configured(t)
		slices.Sort(names)
	}
	return names
}
