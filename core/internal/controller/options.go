package controller

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// Options is what a controller is made of. All but MayFound, Failed,
// SnapshotRecords and SnapshotBytes are needed.
type Options struct {
	Config   *config.Broker
	Election election.Election
	// Strategies are the replication modules by name.
	Strategies map[string]replication.Strategy
	// Endpoints are what this broker registers for clients to be told.
	Endpoints []metadata.Endpoint
	// Random is where topic ids and the cluster's id come from. Safe for
	// concurrent use.
	Random io.Reader
	// MayFound, if set, is asked before a log in which no cluster is named gets
	// one, and errs if that must not be: then Start does.
	MayFound func() error
	// Failed, if set, is told once why the log is followed no more. It must not
	// wait for the controller to stop.
	Failed func(error)
	Clock  clock.Clock
	Log    hclog.Logger
	// SnapshotRecords and SnapshotBytes are how much of the log is kept before
	// a snapshot takes its place; 0 for the defaults.
	SnapshotRecords int
	SnapshotBytes   int
}

const (
	defaultSnapshotRecords = 10_000
	defaultSnapshotBytes   = 4 << 20
)

// rules are those of this broker, which is the only one that there is.
func (o *Options) rules(i *metadata.Image) metadata.Rules {
	current := o.current(i)
	return metadata.Rules{
		DefaultPartitions:        o.Config.NumPartitions,
		DefaultReplicationFactor: o.Config.DefaultReplicationFactor,
		Live:                     []int32{o.Config.NodeID},
		Settle:                   func(overrides map[string]string) (metadata.Settled, error) { return o.settle(current, overrides) },
		Configs:                  o.configRules(current),
		Elect:                    o.elect,
	}
}

func (o *Options) settle(b *config.Broker, overrides map[string]string) (metadata.Settled, error) {
	if err := config.ValidateTopic(overrides); err != nil {
		return metadata.Settled{}, err
	}
	topic, err := config.ResolveTopic(b, overrides)
	if err != nil {
		return metadata.Settled{}, err
	}
	if _, known := o.Strategies[topic.ReplicationStrategy]; !known {
		return metadata.Settled{}, fmt.Errorf("replication.strategy is %q, which this broker does not have; it has %s",
			topic.ReplicationStrategy, strings.Join(slices.Sorted(maps.Keys(o.Strategies)), ", "))
	}
	return metadata.Settled{Strategy: topic.ReplicationStrategy, MinInSync: topic.MinInSyncReplicas}, nil
}

func (o *Options) elect(ctx context.Context, strategy string, r replication.Record, live replication.Liveness) (replication.Record, error) {
	s, known := o.Strategies[strategy]
	if !known {
		return r, module.Fatalf("this broker does not have the replication strategy %q", strategy)
	}
	return s.Elect(ctx, r, live)
}
