package wire

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/fx"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/wire/settings"
	"odradek.dev/sdk/deadline"
	"odradek.dev/sdk/module"
)

// stopTimeout is what all parts together have to stop. A supervisor that gives
// five seconds does not have to kill the broker.
const stopTimeout = 4500 * time.Millisecond

// App is one broker. It is run once.
type App struct {
	config    settings.Config
	choices   []settings.Choice
	factories []module.Factory
	failures  failures
	// parts is there while the broker runs.
	parts   *running
	sockets atomic.Pointer[sockets]
}

// running is the parts that the app itself speaks to.
type running struct {
	log     hclog.Logger
	broker  *config.Broker
	sockets *sockets
	control *control
}

// NewApp checks everything that can be checked without starting.
func NewApp(c settings.Config, factories []module.Factory) (*App, error) {
	c, choices, err := settings.Choose(c, factories)
	if err != nil {
		return nil, err
	}
	if err := fx.ValidateApp(parts(context.Background(), c, choices, factories, make(failures, 1))); err != nil {
		return nil, err
	}
	return &App{config: c, choices: choices, factories: factories, failures: make(failures, 1)}, nil
}

// Run starts the broker and stops it when ctx ends, or when a part fails, the
// error of which it returns.
func (a *App) Run(ctx context.Context) error {
	p := &running{}
	graph := fx.New(
		parts(ctx, a.config, a.choices, a.factories, a.failures),
		fx.Populate(&p.log, &p.broker, &p.sockets, &p.control),
	)
	if err := graph.Err(); err != nil {
		return err
	}
	a.parts = p
	a.sockets.Store(p.sockets)
	if err := graph.Start(context.Background()); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	a.announce()
	cause, failed := deadline.Await(ctx, a.failures)
	if failed {
		p.log.Error("a part of the broker has failed, stopping", "error", cause)
	}
	stopping, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	began := time.Now()
	err := graph.Stop(stopping)
	p.log.Info("broker stopped", "took", time.Since(began).Round(time.Millisecond))
	return errors.Join(cause, err)
}

// Addr is host:port of a listener as it was bound; empty before.
func (a *App) Addr(listener string) string {
	if s := a.sockets.Load(); s != nil {
		return s.address(listener)
	}
	return ""
}

// AdminAddr is host:port of the admin server; empty before it is bound, and if
// there is none.
func (a *App) AdminAddr() string {
	if s := a.sockets.Load(); s != nil {
		return s.adminAddress()
	}
	return ""
}
