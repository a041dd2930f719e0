package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote/internal/childlog"
	"odradek.dev/sdk/remote/internal/spawn"
)

// Launch starts a module process and configures its module. ctx bounds the
// start only. The errors of a program or settings that can never work are
// Invalid. After an error nothing is left of the process.
func Launch(ctx context.Context, command Command) (*Process, error) {
	if err := command.Validate(); err != nil {
		return nil, err
	}
	command = command.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, command.StartTimeout)
	defer cancel()
	p, err := prepare(command)
	if err != nil {
		return nil, err
	}
	if err := p.connect(ctx); err != nil {
		return nil, p.abandon(ctx, err)
	}
	if err := p.configure(ctx); err != nil {
		return nil, p.abandon(ctx, err)
	}
	go p.watch()
	return p, nil
}

// prepare checks the program and opens what host and child share.
func prepare(command Command) (*Process, error) {
	dir, err := spawn.NewSocketDir()
	if err != nil {
		return nil, err
	}
	child, err := spawn.Prepare(spawn.Config{
		Path: command.Path, Args: command.Args, SHA256: command.SHA256, Env: command.Env,
		Frames: !command.NoFrames, SocketDir: dir.Path,
	})
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	sink := childlog.NewSink(command.Log, command.ID(), command.Clock)
	return &Process{
		link: &link{}, command: command, child: child, socketDir: dir, sink: sink, done: make(chan struct{}),
		runner: &childRunner{child: child, sink: sink, socketDir: dir.Path},
	}, nil
}

// connect starts the process through go-plugin, which reads its handshake and
// dials its socket. go-plugin keeps the process only for that: exits, kills,
// output and the socket's folder are handled here, since a client of go-plugin
// waits without end for a process that is stopped, panics on a log line of the
// wrong type, and takes the first line of output for the handshake whatever it
// is.
func (p *Process) connect(ctx context.Context) error {
	stdout, endStdout := p.sink.Writer()
	stderr, endStderr := p.sink.Writer()
	p.endOutput = func() { endStdout(); endStderr() }
	p.plugin = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  handshake(),
		VersionedPlugins: map[int]goplugin.PluginSet{ProtocolVersion: {pluginName: &hostPlugin{}}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		RunnerFunc:       p.runner.prepare,
		SkipHostEnv:      true,
		StartTimeout:     p.command.StartTimeout,
		SyncStdout:       stdout,
		SyncStderr:       stderr,
		Logger:           hclog.NewNullLogger(),
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: p.socketDir.Path},
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(grpcMessageBytes), grpc.MaxCallSendMsgSize(grpcMessageBytes)),
			// The socket has no name after the start: a connection that idled
			// away could not be made again.
			grpc.WithIdleTimeout(0),
		},
	})
	// go-plugin's start knows no context.
	stop := context.AfterFunc(ctx, p.runner.kill)
	defer stop()
	conn, err := p.dial()
	if err != nil {
		return err
	}
	p.conn = conn
	return nil
}

func (p *Process) dial() (*grpc.ClientConn, error) {
	protocol, err := p.plugin.Client()
	if err != nil {
		return nil, err
	}
	conn, err := protocol.Dispense(pluginName)
	if err != nil {
		return nil, err
	}
	return conn.(*grpc.ClientConn), nil
}

// abandon ends what a failed start has left and says why it failed.
func (p *Process) abandon(ctx context.Context, err error) error {
	if !p.runner.hasRun() {
		p.child.Discard()
		p.endOutput()
		if errors.Is(err, errKilledBefore) {
			err = p.startError(ctx, err)
		}
		return errors.Join(err, p.socketDir.Close())
	}
	p.runner.killSoon(pauseAfter(err))
	p.watch()
	return p.startError(ctx, err)
}

// otherVersion begins go-plugin's error about a child that names a version of the
// protocol that was not offered to it.
const otherVersion = "incompatible API version"

// startError tells the cause of a failed start and not its consequence, also
// when the consequence was noticed first.
func (p *Process) startError(ctx context.Context, err error) error {
	failed := module.AsError(err)
	failed.Cause = err
	switch {
	case ctx.Err() != nil:
		late := fmt.Sprintf("it was not ready in time (it has %v)", p.command.StartTimeout)
		failed = &module.Error{Class: module.Retriable, Message: late, Cause: ctx.Err()}
	case strings.HasPrefix(err.Error(), otherVersion):
		failed.Message = fmt.Sprintf("it does not speak version %d of the protocol, as the broker does: build it with the odradek.dev/sdk of "+
			"the broker's release (%v)", ProtocolVersion, err)
	case !isAnswer(err) && p.runner.endedByItself():
		failed = &module.Error{Class: module.Fatal, Message: "the process " + p.child.Exit() + " before it was ready", Cause: err}
	}
	if last := p.sink.Last(); last != "" {
		failed.Message += "; it wrote last: " + last
	}
	failed.Message = fmt.Sprintf("module %s in %s did not start: %s", p.command.ID(), p.command.Path, failed.Message)
	return failed
}
