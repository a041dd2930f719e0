package remote

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote/internal/frame"
	"odradek.dev/sdk/remote/internal/spawn"
)

// IsModuleProcess reports whether a host has started this process to serve a
// module. A program that can be both asks before it does anything else, and
// then calls [Serve] with all of its modules.
func IsModuleProcess() bool {
	h := handshake()
	return os.Getenv(h.MagicCookieKey) == h.MagicCookieValue
}

// Serve makes this process serve the module of factories that its host asks
// for, and does not return: the process exits when its host wants it to, or is
// gone. It is the whole main of a third party's module. Started by hand, it
// says what to do instead and exits with status 1.
//
// Serve takes over standard output, which is the host's: what the module prints,
// there or to standard error, is logged by the host. It ignores SIGINT and SIGTERM,
// since the host decides when its modules end.
func Serve(factories ...module.Factory) {
	if err := check(factories); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if !IsModuleProcess() {
		fmt.Fprint(os.Stderr, startedByHand(filepath.Base(os.Args[0]), factories))
		os.Exit(1)
	}
	if err := serve(factories); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(factories []module.Factory) error {
	dropSignals()
	lifeline, err := inheritedFile(spawn.EnvLifeline)
	if err != nil {
		return err
	}
	go exitWithHost(lifeline)
	c := &child{factories: factories, log: childLogger(hclog.Info), output: os.Stderr}
	if os.Getenv(spawn.EnvFrames) != "" {
		conn, err := inheritedSocket(spawn.EnvFrames)
		if err != nil {
			return err
		}
		c.serveFrames = func(k kind, instance any) { go exitWithFrames(conn, k.frames(instance)) }
	}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  handshake(),
		VersionedPlugins: map[int]goplugin.PluginSet{ProtocolVersion: {pluginName: &childPlugin{child: c}}},
		GRPCServer:       newServer,
		Logger:           childLogger(hclog.Warn),
	})
	return errors.New("the module process stopped serving before its host wanted it to")
}

// dropSignals lets SIGINT and SIGTERM pass without effect. They are caught and
// not ignored, since what is ignored stays so in the programs that a module
// starts.
func dropSignals() { signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM) }

// childLogger writes lines that the host reads. It keeps the real standard
// error: go-plugin puts another one in its place.
func childLogger(level hclog.Level) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{JSONFormat: true, Output: os.Stderr, Level: level})
}

func newServer(options []grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append(options, grpc.MaxRecvMsgSize(grpcMessageBytes), grpc.MaxSendMsgSize(grpcMessageBytes))...)
}

// exitWithHost waits for the end of the host, which is the end of the lifeline.
// The module gets no chance to finish: what it is in the middle of ends as it
// would if it were part of a host that is killed.
func exitWithHost(lifeline io.Reader) {
	if _, err := io.Copy(io.Discard, lifeline); err != nil {
		fmt.Fprintln(os.Stderr, "the lifeline cannot be read:", err)
	}
	if dir := os.Getenv(spawn.EnvSocketDir); dir != "" {
		_ = os.RemoveAll(dir) // nobody is left to be told
	}
	os.Exit(0)
}

// exitWithFrames answers framed calls. A host that breaks the protocol, or
// closes the socket, has no use for this process.
func exitWithFrames(conn *net.UnixConn, handlers map[frame.Op]frame.Handler) {
	if err := frame.Serve(conn, handlers); err != nil {
		fmt.Fprintln(os.Stderr, "framed calls ended:", err)
		os.Exit(1)
	}
}

func inheritedFile(variable string) (*os.File, error) {
	fd, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return nil, fmt.Errorf("the host gave no descriptor in %s", variable)
	}
	syscall.CloseOnExec(fd)
	// So that reading waits in the poller and not in a thread.
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, fmt.Errorf("the descriptor %d in %s: %w", fd, variable, err)
	}
	return os.NewFile(uintptr(fd), variable), nil
}

func inheritedSocket(variable string) (*net.UnixConn, error) {
	file, err := inheritedFile(variable)
	if err != nil {
		return nil, err
	}
	conn, err := net.FileConn(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("the descriptor in %s: %w", variable, err)
	}
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, fmt.Errorf("the descriptor in %s is no unix socket", variable)
	}
	return socket, nil
}

func check(factories []module.Factory) error {
	seen := map[string]bool{}
	for _, factory := range factories {
		d := factory.Descriptor()
		if err := d.Validate(); err != nil {
			return err
		}
		if seen[d.ID()] {
			return module.Invalidf("module %s is listed twice", d.ID())
		}
		seen[d.ID()] = true
	}
	return nil
}

func startedByHand(program string, factories []module.Factory) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is no program to run by hand: a broker starts it, for a module that its configuration names:\n\nmodules:\n", program)
	for _, factory := range factories {
		d := factory.Descriptor()
		fmt.Fprintf(&b, "  %s:\n    - use: %s\n      exec: %s\n", d.Kind, d.Name, os.Args[0])
	}
	return b.String()
}
