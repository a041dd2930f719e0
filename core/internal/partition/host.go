package partition

import (
	"context"
	"time"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// Options is what a [Registry] is made of. None may be missing.
type Options struct {
	Config *config.Broker
	Engine storage.Engine
	// Strategies by the name that topics give in replication.strategy.
	Strategies map[string]replication.Strategy
	Decompress Decompress
	Clock      clock.Clock
	Log        hclog.Logger
	// Seed starts the random numbers of strategies.
	Seed uint64
}

// host is what all partitions of a broker share.
type host struct {
	Options
	files *Files
	// began is where the monotonic time of the machines counts from.
	began time.Time
}

// ctx is for calls into modules on the path of a request. They are short; the
// deadlines of calls that cross a process are set by the binding.
func (h *host) ctx() context.Context { return context.Background() }
