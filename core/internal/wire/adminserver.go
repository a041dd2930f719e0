package wire

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/admin"
	"odradek.dev/core/internal/wire/settings"
)

// adminStopTimeout is short: what is asked here can be asked again.
const adminStopTimeout = 500 * time.Millisecond

// adminServer answers from early on, so that a probe can tell a broker that
// recovers its logs from one that is dead.
type adminServer struct {
	sockets  *sockets
	modules  *modules
	failures failures
	options  admin.Options

	server  *admin.Server
	serving sync.WaitGroup
}

func newAdmin(
	l life, c settings.Config, factories settings.Distribution, s *sockets, m *modules, st *state, f failures,
	log hclog.Logger, g prometheus.Gatherer,
) *adminServer {
	a := &adminServer{sockets: s, modules: m, failures: f}
	a.options = admin.Options{Ready: st.ready, Topic: st.topic, Group: st.explain, Gatherer: g, Log: log.Named("admin")}
	for _, v := range c.Values(factories) {
		a.options.Config = append(a.options.Config, admin.Value(v))
	}
	l.hook(a.start, a.stop)
	return a
}

func (a *adminServer) start(context.Context) error {
	if a.sockets.admin == nil {
		return nil
	}
	a.options.Modules = a.modules.guarded
	a.server = admin.NewServer(a.options)
	a.serving.Go(func() {
		if err := a.server.Serve(a.sockets.admin); err != nil {
			a.failures.report(err)
		}
	})
	return nil
}

func (a *adminServer) stop(ctx context.Context) error {
	if a.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, adminStopTimeout)
	defer cancel()
	if err := a.server.Shutdown(ctx); err != nil {
		a.options.Log.Warn("a request to the admin server was cut off", "error", err)
	}
	a.serving.Wait()
	return nil
}
