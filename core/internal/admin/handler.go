package admin

import (
	"net/http"
	"strings"

	"github.com/hashicorp/go-hclog"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"odradek.dev/core/internal/group/step"
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
	Topic func(name string) (partitioner.Topic, bool)
	// Group is who decided what the members of a group have; false if this
	// broker coordinates no such group.
	Group    func(id string) (step.Explanation, bool)
	Config   []Value
	Gatherer prometheus.Gatherer
	Log      hclog.Logger
}

// handlers answers requests from the options.
type handlers struct{ Options }

// Handler serves the paths that the package lists.
func Handler(o Options) http.Handler {
	h := handlers{o}
	mux, paths := http.NewServeMux(), []string{}
	for _, route := range []struct {
		method, path string
		serve        http.HandlerFunc
	}{
		{http.MethodGet, "/healthz", h.healthz},
		{http.MethodGet, "/readyz", h.readyz},
		{http.MethodGet, "/metrics", promhttp.HandlerFor(o.Gatherer, promhttp.HandlerOpts{ErrorLog: promLog{o.Log}}).ServeHTTP},
		{http.MethodGet, "/v1/modules", h.modules},
		{http.MethodGet, "/v1/config", h.config},
		{http.MethodGet, "/v1/group", h.group},
		{http.MethodPost, "/v1/partition", h.partition},
		{http.MethodPost, "/v1/assign", h.assign},
	} {
		mux.HandleFunc(route.path, only(route.method, route.serve))
		paths = append(paths, route.path)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, "nothing at %s; there are %s", r.URL.Path, strings.Join(paths, ", "))
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
