package kafka

import (
	"context"
	"net"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/election"
)

// Backend is what requests are served from. Its fields are set before the
// server starts and do not change after.
type Backend struct {
	Config     *config.Broker
	Controller Controller
	Partitions *partition.Registry
	Groups     Groups
	Clock      clock.Clock
	Log        hclog.Logger
	// Metrics may be nil.
	Metrics Metrics

	failures pace
}

// current is the broker's configuration with what is set while it runs.
func (b *Backend) current() *config.Broker { return b.configOf(b.Controller.Image()) }

func (b *Backend) configOf(image *metadata.Image) *config.Broker {
	return b.Config.With(image.BrokerConfigs(b.Config.NodeID))
}

// Controller is the metadata as this broker knows it, and the way to change
// it. The results of a change are in the order of what was asked for; when
// they arrive this broker has already applied it. Safe for concurrent use.
type Controller interface {
	Image() *metadata.Image
	CreateTopics(ctx context.Context, topics []metadata.NewTopic, validateOnly bool) []metadata.TopicResult
	DeleteTopics(ctx context.Context, topics []metadata.TopicRef) []metadata.TopicResult
	CreatePartitions(ctx context.Context, topics []metadata.NewPartitions, validateOnly bool) []metadata.TopicResult
	AlterConfigs(ctx context.Context, changes []metadata.ConfigChange, validateOnly bool) []*refusal.Refusal
	// UpdateFeatures makes all updates, or none and says why.
	UpdateFeatures(ctx context.Context, updates []metadata.FeatureUpdate, validateOnly bool) *refusal.Refusal
	AllocateProducerID(ctx context.Context) (int64, error)
	// Quorum is who decides about the metadata log, and how far it has come.
	Quorum(ctx context.Context) (election.Status, error)
}

// Caller is who sent a request, and how.
type Caller struct {
	ClientID string
	// Software and SoftwareVersion are what the client said in ApiVersions,
	// empty before.
	Software, SoftwareVersion string
	Listener                  config.Listener
	Remote                    net.Addr
	// Host is the address of Remote as Kafka writes it, with a slash before it.
	Host string
}
