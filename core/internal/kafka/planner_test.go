package kafka

import (
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/controller/controllertest"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/sdk/clock"
)

// planner is a Controller without a log, with topics that tests create.
type planner struct{ *controllertest.Planner }

func newPlanner(b *config.Broker, self metadata.Broker, told func(old, next *metadata.Image) error) *planner {
	return &planner{controllertest.New(b, self, configRules(), told)}
}

// planned is a backend over a planner, with broker 7 registered.
func planned(t *testing.T) (*Backend, *planner) {
	broker := config.Default()
	broker.NodeID, broker.NumPartitions = 7, 3
	p := newPlanner(&broker, metadata.Broker{ID: 7, Rack: "r", Listeners: []metadata.Endpoint{
		{Listener: "PLAINTEXT", Host: "outside", Port: 9092}, {Listener: "INTERNAL", Host: "inside", Port: 9093},
	}}, nil)
	b := &Backend{
		Config: &broker, Controller: p, Clock: clock.Real(), Log: hclog.NewNullLogger(),
		Partitions: partition.NewRegistry(partition.Options{Config: &broker, Clock: clock.Real(), Log: hclog.NewNullLogger()}),
	}
	b.Groups = newCoordinator(t, b)
	return b, p
}

func (p *planner) create(t *testing.T, names ...string) {
	var topics []metadata.NewTopic
	for _, name := range names {
		topics = append(topics, metadata.NewTopic{Name: name, Partitions: 2, ReplicationFactor: 1})
	}
	for _, r := range p.CreateTopics(t.Context(), topics, false) {
		require.Nil(t, r.Refusal)
	}
}
