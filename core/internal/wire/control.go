package wire

import (
	"context"
	"crypto/rand"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/controller"
	"odradek.dev/sdk/clock"
)

// control is the controller over the election module.
type control struct {
	broker   *config.Broker
	modules  *modules
	founding *founding
	sockets  *sockets
	log      hclog.Logger
	clock    clock.Clock
	state    *state
	failed   failures

	controller *controller.Controller
}

func newControl(
	l life, b *config.Broker, m *modules, g *founding, s *sockets, st *state, log hclog.Logger, c clock.Clock, failed failures,
) *control {
	k := &control{broker: b, modules: m, founding: g, sockets: s, state: st, log: log, clock: c, failed: failed}
	l.hook(k.start, k.stop)
	return k
}

func (k *control) start(ctx context.Context) error {
	k.controller = controller.New(controller.Options{
		Config: k.broker, Election: k.modules.guarded.Election(), Strategies: k.modules.guarded.Strategies(),
		Endpoints: k.sockets.endpoints(), Random: rand.Reader, MayFound: k.founding.mayFound, Failed: k.failed.report,
		Clock: k.clock, Log: k.log.Named("controller"),
	})
	if err := k.controller.Start(ctx); err != nil {
		return err
	}
	k.state.controller.Store(k.controller)
	return nil
}

func (k *control) stop(ctx context.Context) error { return k.controller.Stop(ctx) }
