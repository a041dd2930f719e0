package wire

import (
	"context"
	"crypto/rand"
	"encoding/binary"

	"github.com/hashicorp/go-hclog"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metrics"
	"odradek.dev/core/internal/wire/settings"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// A part is built without doing anything, so that the graph of them can be
// checked without starting a broker; what it does, its hooks do. fx starts the
// parts in the order in which they need each other, and stops them in reverse.
//
//	sockets      the listeners are bound, so that ports are known
//	founding     it is seen whether the log directories belong to a cluster
//	modules      the modules, in-process and as subprocesses, behind their guards
//	admin        the admin server answers, at first that the broker is not ready
//	control      the metadata log is followed, the broker is registered
//	partitions   log directories are mounted, logs opened
//	groups       the coordinators of groups read their logs
//	clients      the Kafka protocol is served
func parts(
	ctx context.Context, c settings.Config, choices []settings.Choice, factories []module.Factory, failed failures,
) fx.Option {
	return fx.Options(
		fx.NopLogger,
		fx.Supply(c, choices, settings.Distribution(factories), failed),
		fx.Provide(
			func(lc fx.Lifecycle) life { return life{lc, ctx} },
			newBroker, newState, newLog, clock.Real, vfs.OS, newRegistry,
			newFounding, newModules, newSockets, newControl, newPartitions, newGroups, newClients, newAdmin,
		),
		// Named in the order in which they are to start.
		fx.Invoke(func(*sockets, *founding, *modules, *adminServer, *control, *partitions, *groups, *clients) {}),
	)
}

// failures takes the error of a part that cannot go on after the start. The
// first one stops the broker.
type failures chan error

func (f failures) report(err error) {
	select {
	case f <- err:
	default:
	}
}

// newBroker is this broker's own copy: the ports of its listeners are filled in
// when they are bound.
func newBroker(c settings.Config) *config.Broker {
	b := c.Broker
	b.Listeners = append([]config.Listener{}, c.Broker.Listeners...)
	return &b
}

func newRegistry() (*prometheus.Registry, prometheus.Registerer, prometheus.Gatherer) {
	r := metrics.New()
	return r, r, r
}

// life is where the parts put their hooks. What they start is under the context
// of the whole run and not under fx's: when it ends in the middle of the start,
// fx still stops what has started.
type life struct {
	fx.Lifecycle
	run context.Context
}

// hook makes two methods of a part its life.
func (l life) hook(start, stop func(context.Context) error) {
	l.Append(fx.Hook{
		OnStart: func(context.Context) error {
			if err := l.run.Err(); err != nil {
				return err
			}
			return start(l.run)
		},
		OnStop: stop,
	})
}

// newSeed draws where a module's random numbers start.
func newSeed() uint64 {
	var b [8]byte
	// It does not fail: package crypto/rand ends the program first.
	_, _ = rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// newLog writes to standard error, as log.format and log.level say.
func newLog(b *config.Broker) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{
		Name: "odradek", Level: hclog.LevelFromString(b.LogLevel), JSONFormat: b.LogFormat == "json",
	})
}
