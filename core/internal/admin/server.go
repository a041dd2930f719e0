// Package admin is the broker's HTTP server for people, probes and tools: is it
// alive and ready, what it measured, what modules it has, and what one of them
// would decide.
//
//	GET  /healthz        the process and its modules are well
//	GET  /readyz         the broker takes clients
//	GET  /metrics        Prometheus
//	GET  /v1/modules     every module, its binding, its process, its calls
//	GET  /v1/config      every value and where it was written
//	POST /v1/partition   where a partitioner puts keys
//	POST /v1/assign      what an assignor decides on a group
//
// There is no authentication: the listener is for the loopback interface or a
// network of trust.
package admin

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"odradek.dev/core/internal/guard"
	"odradek.dev/sdk/partitioner"
)

// Options is what the server answers from. None may be missing.
type Options struct {
	Modules *guard.Set
	// Ready is nil once the broker takes clients, and before that says what it
	// waits for.
	Ready func() error
	// Topic is what a partitioner may know of a topic; false if there is none
	// of that name.
	Topic    func(name string) (partitioner.Topic, bool)
	Config   []Value
	Gatherer prometheus.Gatherer
	Log      hclog.Logger
}

// Value is one value of the configuration.
type Value struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// Handler serves the paths above.
func Handler(o Options) http.Handler {
	mux := http.NewServeMux()
	for path, serve := range map[string]http.HandlerFunc{
		"/healthz":    o.healthz,
		"/readyz":     o.readyz,
		"/v1/modules": o.modules,
		"/v1/config":  o.config,
		"/metrics":    promhttp.HandlerFor(o.Gatherer, promhttp.HandlerOpts{ErrorLog: promLog{o.Log}}).ServeHTTP,
	} {
		mux.HandleFunc(path, only(http.MethodGet, serve))
	}
	mux.HandleFunc("/v1/partition", only(http.MethodPost, o.partition))
	mux.HandleFunc("/v1/assign", only(http.MethodPost, o.assign))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, "nothing at %s; there are /healthz, /readyz, /metrics, /v1/modules, /v1/config, /v1/partition and /v1/assign", r.URL.Path)
	})
	return mux
}

// only answers other methods with the one that is meant.
func only(method string, serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method && (method != http.MethodGet || r.Method != http.MethodHead) {
			w.Header().Set("Allow", method)
			refuse(w, http.StatusMethodNotAllowed, "%s takes %s, not %s", r.URL.Path, method, r.Method)
			return
		}
		serve(w, r)
	}
}

// promLog lets promhttp report a failed scrape.
type promLog struct{ log hclog.Logger }

func (l promLog) Println(v ...any) { l.log.Warn("metrics could not be collected", "error", v) }

// Server serves a handler on one listener.
type Server struct{ http http.Server }

// NewServer makes a server whose connections cannot be held open by a client
// that says nothing.
func NewServer(o Options) *Server {
	return &Server{http.Server{
		Handler:           Handler(o),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          o.Log.StandardLogger(&hclog.StandardLoggerOptions{ForceLevel: hclog.Debug}),
	}}
}

// Serve takes connections until Shutdown.
func (s *Server) Serve(l net.Listener) error {
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown finishes the requests that run, and cuts those off that have not
// finished when the context ends.
func (s *Server) Shutdown(ctx context.Context) error {
	return errors.Join(s.http.Shutdown(ctx), s.http.Close())
}
