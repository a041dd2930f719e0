package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	goplugin "github.com/hashicorp/go-plugin"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote/internal/childlog"
	"odradek.dev/sdk/remote/internal/frame"
	"odradek.dev/sdk/remote/internal/spawn"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

// exitGrace is how long a process may take to exit once nothing is left for it
// to do.
const exitGrace = 2 * time.Second

// Process is one module process that runs, or has run. It is never started
// again: another start is another Process. Safe for concurrent use.
type Process struct {
	*link
	command   Command
	child     *spawn.Child
	socketDir *spawn.SocketDir
	sink      *childlog.Sink
	runner    *childRunner
	plugin    *goplugin.Client
	endOutput func()

	descriptor module.Descriptor
	fields     []module.Field
	instance   any

	// broken is why the host itself has ended the process, if it has.
	broken error
	// stopping is true once somebody wants the process to end.
	stopping atomic.Bool
	done     chan struct{}
	// err is set before done is closed.
	err error
}

// Instance implements the contract of the module's kind and
// [module.HealthChecker]. When the process has ended its calls fail with
// [ErrClosed].
func (p *Process) Instance() any { return p.instance }

// Descriptor is what the child says of the module.
func (p *Process) Descriptor() module.Descriptor { return p.descriptor }

// Fields lists the module's settings as the child describes them; a default is
// what JSON makes of it. Empty if the child does not list them.
func (p *Process) Fields() []module.Field { return p.fields }

// PID is the process id.
func (p *Process) PID() int { return p.child.PID() }

// Framed reports whether hot calls go over the framed socket and not over gRPC.
func (p *Process) Framed() bool { return p.frames != nil }

// Done is closed when the process has ended and nothing is left of it.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says why the process has ended: nil before it has and after
// [Process.Stop].
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Kill ends the process at once and does not wait for it.
func (p *Process) Kill() { p.child.Kill() }

// Stop stops the module and then ends the process, by force if the process is
// not gone when ctx ends or a while after it has nothing more to do. When Stop
// returns the process is gone; the error is the module's.
func (p *Process) Stop(ctx context.Context) error {
	p.stopping.Store(true)
	_, err := unary(ctx, modulev1.NewControlClient(p.conn).Stop, &modulev1.StopRequest{})
	p.child.CutLifeline()
	timer := time.NewTimer(exitGrace)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-ctx.Done():
	case <-timer.C:
	}
	p.Kill()
	<-p.done
	if errors.Is(err, ErrClosed) {
		return nil // it is as gone as Stop wants it
	}
	return err
}

// configure asks the child what it is and makes it the wanted module.
func (p *Process) configure(ctx context.Context) error {
	control := modulev1.NewControlClient(p.conn)
	described, err := control.Describe(ctx, &modulev1.DescribeRequest{})
	if err != nil {
		return classify(ctx, err)
	}
	// Connected is connected: no file is left for a host that dies.
	if err := p.socketDir.Empty(); err != nil {
		return module.Fatalf("the folder of the socket cannot be removed: %w", err)
	}
	if err := p.adopt(described); err != nil {
		return err
	}
	request, err := p.command.configureRequest(described.GetFeatures())
	if err != nil {
		return err
	}
	answer, err := unary(ctx, control.Configure, request)
	if err != nil {
		return p.configureError(err)
	}
	if err := p.connectFrames(slices.Contains(answer.GetFeatures(), featureFrames)); err != nil {
		return err
	}
	p.instance, err = kinds()[p.command.Kind].host(ctx, p.link)
	return err
}

// connectFrames takes the socket into use, or leaves hot calls to gRPC.
func (p *Process) connectFrames(wanted bool) (err error) {
	switch {
	case p.child.Frames == nil:
		return nil
	case !wanted:
		return p.child.Frames.Close()
	}
	p.frames, err = frame.NewCaller(p.child.Frames)
	return err
}

// adopt takes the description of the wanted module out of the child's list.
func (p *Process) adopt(described *modulev1.DescribeResponse) error {
	var has []string
	for _, m := range described.GetModules() {
		d := module.Descriptor{Kind: module.Kind(m.GetKind()), Name: m.GetName(), Version: m.GetVersion(), Summary: m.GetSummary()}
		if d.Kind == p.command.Kind && d.Name == p.command.Name {
			p.descriptor, p.fields = d, fieldsFromWire(m.GetSettings())
			return d.Validate()
		}
		has = append(has, d.ID())
	}
	return module.Invalidf("the program has no such module; it has %v", has)
}

func fieldsFromWire(settings []*modulev1.Setting) []module.Field {
	var fields []module.Field
	for _, s := range settings {
		field := module.Field{Name: s.GetName(), Type: s.GetType(), Doc: s.GetDoc()}
		if json.Unmarshal(s.GetDefaultJson(), &field.Default) != nil {
			field.Default = string(s.GetDefaultJson())
		}
		fields = append(fields, field)
	}
	return fields
}

func (c Command) configureRequest(offered []string) (*modulev1.ConfigureRequest, error) {
	settings, err := encodeSettings(c.Settings)
	if err != nil {
		return nil, err
	}
	request := &modulev1.ConfigureRequest{
		Kind: string(c.Kind), Name: c.Name, SettingsJson: settings, Node: c.Node, Seed: c.Seed, Dir: c.Dir,
		LogLevel: c.Log.GetLevel().String(),
	}
	if !c.NoFrames && slices.Contains(offered, featureFrames) {
		request.Features = []string{featureFrames}
	}
	return request, nil
}

// configureError gives an unknown setting back as the type that it was.
func (p *Process) configureError(err error) error {
	var refused *module.Error
	if !errors.As(err, &refused) || refused.Code != codeUnknownSetting {
		return err
	}
	unknown := &module.UnknownSettingError{}
	for _, field := range p.fields {
		unknown.Known = append(unknown.Known, field.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(p.command.Settings)) {
		if !slices.Contains(unknown.Known, name) {
			unknown.Setting = name
			break
		}
	}
	return &module.Error{Class: module.Invalid, Code: refused.Code, Message: refused.Message, Cause: unknown}
}

// watch ends the process when its framed connection ends, and clears up after
// it.
func (p *Process) watch() {
	if p.frames != nil {
		select {
		case <-p.frames.Done():
			// It has broken the protocol, so that what it says next cannot be
			// understood, or it no longer listens.
			p.Kill()
		case <-p.child.Exited():
		}
	}
	<-p.child.Exited()
	p.clear()
}

func (p *Process) clear() {
	if p.frames != nil {
		p.frames.Close()
		// A process whose connection was ended for this may have exited by
		// itself before anybody came to kill it.
		if err := p.frames.Err(); errors.Is(err, ErrProtocol) {
			p.broken = err
		}
	} else if p.child.Frames != nil {
		_ = p.child.Frames.Close() // was not in use
	}
	p.runner.output.Wait()
	// The process is gone, so go-plugin has only its own to let go of.
	p.plugin.Kill()
	p.endOutput()
	p.err = errors.Join(p.reason(), p.child.Stdout.Close(), p.child.Stderr.Close(), p.socketDir.Close())
	p.sink.Close()
	close(p.done)
}

// reason says why the process has ended, nil if it was meant to.
func (p *Process) reason() error {
	if p.stopping.Load() {
		return nil
	}
	if p.broken != nil {
		return module.Retriablef("module %s (pid %d) was killed: %w", p.command.ID(), p.PID(), p.broken)
	}
	detail := ""
	if last := p.sink.Last(); last != "" {
		detail = fmt.Sprintf("; it wrote last: %s", last)
	}
	return module.Retriablef("module %s (pid %d) %s%s", p.command.ID(), p.PID(), p.child.Exit(), detail)
}
