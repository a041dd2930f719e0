package wire

import (
	"context"
	"fmt"
	"os"

	"odradek.dev/core/internal/guard"
	"odradek.dev/core/internal/wire/supervise"
	"odradek.dev/sdk/remote"
)

// startSubprocess runs a module in a process of its own: the executable that the
// choice names, or else this very one, which then serves the module (see
// remote.IsModuleProcess).
func (m *modules) startSubprocess(ctx context.Context, c Choice) (guard.Module, error) {
	path := c.Exec
	if path == "" {
		self, err := os.Executable()
		if err != nil {
			return guard.Module{}, fmt.Errorf("cannot find this program to start it again: %w", err)
		}
		path = self
	}
	supervised, err := supervise.Start(ctx, supervise.Spec{
		Command: remote.Command{
			Path: path, Args: c.Args, SHA256: c.SHA256, Kind: c.Kind, Name: c.Name, Settings: c.Settings,
			Node: m.broker.NodeID, Seed: newSeed(), Log: m.log.Named(c.ID()), Clock: m.clock,
		},
		Clock: m.clock,
	})
	if err != nil {
		return guard.Module{}, err
	}
	m.stops = append(m.stops, func(ctx context.Context) error {
		if err := supervised.Stop(ctx); err != nil {
			return fmt.Errorf("module %s did not stop cleanly: %w", c.ID(), err)
		}
		return nil
	})
	return guard.Module{
		Descriptor: supervised.Status().Descriptor, Binding: string(Subprocess), Instance: supervised.Instance(),
		Process: func() guard.Process { return processOf(supervised.Status()) },
	}, nil
}

func processOf(s supervise.Status) guard.Process {
	p := guard.Process{PID: s.PID, State: string(s.State), Restarts: s.Restarts}
	switch {
	case s.Unwell != nil:
		p.LastError = s.Unwell.Error()
	case s.LastError != nil:
		p.LastError = s.LastError.Error()
	}
	return p
}
