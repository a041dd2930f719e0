package wire

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"odradek.dev/core/internal/guard"
	"odradek.dev/core/internal/wire/settings"
	"odradek.dev/core/internal/wire/supervise"
	"odradek.dev/sdk/remote"
)

// startSubprocess runs a module in a process of its own: the executable that the
// choice names, or else this very one, which then serves the module (see
// remote.IsModuleProcess).
func (m *modules) startSubprocess(ctx context.Context, c settings.Choice) (guard.Module, error) {
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
		return guard.Module{}, fmt.Errorf("%w%s%s", err, lookedFor(c.Exec, err), settings.NearestSetting(err))
	}
	if m.subprocesses == nil {
		m.stops = append(m.stops, m.stopSubprocesses)
	}
	m.subprocesses = append(m.subprocesses, supervised)
	return guard.Module{
		Descriptor: supervised.Status().Descriptor, Binding: string(settings.Subprocess), Instance: supervised.Instance(),
		Process: func() guard.Process { return processOf(supervised.Status()) },
	}, nil
}

// subprocessStopTimeout is what modules in processes of their own have to stop
// before they are killed. It leaves time to the modules in this one.
const subprocessStopTimeout = 2 * time.Second

// stopSubprocesses stops them side by side, so that one that hangs takes no time
// from the others.
func (m *modules) stopSubprocesses(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, subprocessStopTimeout)
	defer cancel()
	errs := make([]error, len(m.subprocesses))
	var stopping sync.WaitGroup
	for i, supervised := range m.subprocesses {
		stopping.Go(func() {
			if err := supervised.Stop(ctx); err != nil {
				errs[i] = fmt.Errorf("module %s did not stop cleanly: %w", supervised.Status().Descriptor.ID(), err)
			}
		})
	}
	stopping.Wait()
	m.subprocesses = nil
	return errors.Join(errs...)
}

// lookedFor ends the error of a program that is not where its path points with
// where that is, and of one that may not be executed with what lets it.
func lookedFor(path string, err error) string {
	switch {
	case path == "":
		return ""
	case errors.Is(err, fs.ErrPermission):
		return "; chmod +x " + path + ", if it is a program, lets the broker's user execute it"
	case filepath.IsAbs(path):
		return ""
	case errors.Is(err, exec.ErrNotFound):
		return "; write ./" + path + " for a file where the broker is started"
	case !errors.Is(err, fs.ErrNotExist):
		return ""
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return "; the path is relative to where the broker is started, " + dir
}

func processOf(s supervise.Status) guard.Process {
	p := guard.Process{PID: s.PID, State: string(s.State), Restarts: s.Restarts}
	switch {
	case s.Unwell != nil:
		p.LastError = s.Unwell.Error()
	case s.State == supervise.Quarantined:
		p.LastError = fmt.Sprintf("next start at %s, or with the broker: %v", s.Retry.Format(time.RFC3339), s.LastError)
	case s.LastError != nil:
		p.LastError = s.LastError.Error()
	}
	return p
}
