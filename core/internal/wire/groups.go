package wire

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/hashicorp/go-hclog"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/coordinator"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/clock"
)

// groups is the coordinators of consumer groups.
type groups struct {
	control     *control
	state       *state
	options     func() coordinator.Options
	coordinator *coordinator.Coordinator
}

func newGroups(
	l life, b *config.Broker, m *modules, k *control, p *partitions, st *state, log hclog.Logger, c clock.Clock, r prometheus.Registerer,
) *groups {
	g := &groups{control: k, state: st}
	observer := measureGroups(r, b, p, st, c)
	g.options = func() coordinator.Options {
		return coordinator.Options{
			Config: b, Controller: k.controller, Partitions: p.registry,
			Assign: m.assign, NewID: newID, Clock: c, Log: log.Named("groups"), Observer: observer,
		}
	}
	l.hook(g.start, g.stop)
	return g
}

func (g *groups) start(context.Context) error {
	g.coordinator = coordinator.New(g.options())
	g.state.coordinator.Store(g.coordinator)
	return g.control.controller.Subscribe(g.coordinator.Apply)
}

func (g *groups) stop(context.Context) error {
	g.coordinator.Stop()
	return nil
}

// assign has the module of that name compute an assignment.
func (m *modules) assign(ctx context.Context, name string, snapshot assignor.Snapshot) (assignor.Assignment, bool, error) {
	a, ok := m.guarded.Assignor(name)
	if !ok {
		return assignor.Assignment{}, false, fmt.Errorf("%w: there is no module assignor/%s", kerr.UnsupportedAssignor, name)
	}
	return a.Assign(ctx, snapshot)
}

// newID draws a random UUID (version 4), in its usual form.
func newID() string {
	var b [16]byte
	// It does not fail: package crypto/rand ends the program first.
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0F|0x40, b[8]&0x3F|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
