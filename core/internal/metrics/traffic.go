package metrics

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/kafka"
)

// Traffic counts requests and connections. It implements [kafka.Metrics]. Safe
// for concurrent use.
type Traffic struct {
	vectors apiVectors
	// apis is indexed by API key. An API has instruments from its first request
	// on: one that nobody uses takes no room in a scrape.
	apis [kmsg.MaxKey + 1]atomic.Pointer[api]
	// unknown is for keys that are no API's.
	unknown *api
	// connections has an entry for each listener that is configured.
	connections map[string]connections
}

// api is the instruments of one API key.
type api struct {
	requests          prometheus.Counter
	bytesIn, bytesOut prometheus.Counter
	seconds           prometheus.Observer
}

// connections is the instruments of one listener.
type connections struct {
	opened, closed prometheus.Counter
	open           prometheus.Gauge
	// refused is by cause, of which there are few.
	refused *prometheus.CounterVec
	blocked prometheus.Counter
}

// From 50 microseconds, which a small produce takes, to some seconds, for
// which a fetch may be parked.
var requestBuckets = prometheus.ExponentialBuckets(50e-6, 2.5, 14)

// NewTraffic registers the instruments of the APIs and of these listeners.
func NewTraffic(r prometheus.Registerer, listeners []config.Listener) *Traffic {
	vectors := newAPIVectors()
	r.MustRegister(vectors.requests, vectors.bytesIn, vectors.bytesOut, vectors.seconds)
	t := &Traffic{vectors: vectors, unknown: vectors.resolve("unknown")}
	t.connections = registerConnections(r, listeners)
	return t
}

// instruments are those of a key; looked up by label only for the first request.
func (t *Traffic) instruments(key int16) *api {
	if key < 0 || key > kmsg.MaxKey {
		return t.unknown
	}
	if a := t.apis[key].Load(); a != nil {
		return a
	}
	a := t.unknown
	if kmsg.RequestForKey(key) != nil {
		a = t.vectors.resolve(kmsg.NameForKey(key))
	}
	t.apis[key].Store(a)
	return a
}

type apiVectors struct {
	requests, bytesIn, bytesOut *prometheus.CounterVec
	seconds                     *prometheus.HistogramVec
}

func newAPIVectors() apiVectors {
	counter := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"api"})
	}
	return apiVectors{
		requests: counter("odradek_requests_total", "Requests that are over, by API."),
		bytesIn:  counter("odradek_request_bytes_total", "Bytes of requests, with their length fields."),
		bytesOut: counter("odradek_response_bytes_total", "Bytes of responses, with their length fields."),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "odradek_request_duration_seconds", Buckets: requestBuckets,
			Help: "From a request's last byte to its response, with the time that a fetch waited for data.",
		}, []string{"api"}),
	}
}

func (v apiVectors) resolve(name string) *api {
	return &api{
		requests: v.requests.WithLabelValues(name), bytesIn: v.bytesIn.WithLabelValues(name),
		bytesOut: v.bytesOut.WithLabelValues(name), seconds: v.seconds.WithLabelValues(name),
	}
}

func registerConnections(r prometheus.Registerer, listeners []config.Listener) map[string]connections {
	opened := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "odradek_connections_opened_total", Help: "Connections that were taken.",
	}, []string{"listener"})
	closed := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "odradek_connections_closed_total", Help: "Connections that are over.",
	}, []string{"listener"})
	open := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "odradek_connections", Help: "Connections that are open now.",
	}, []string{"listener"})
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "odradek_connections_refused_total",
		Help: "Connections that the broker closed for what their client did, or for a limit, by cause; the log has at most a line a second for each cause.",
	}, []string{"listener", "cause"})
	blocked := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "odradek_accept_blocked_seconds_total", Help: "Time for which a limit kept the listener from taking a connection.",
	}, []string{"listener"})
	r.MustRegister(opened, closed, open, refused, blocked)
	of := make(map[string]connections, len(listeners))
	for _, l := range listeners {
		of[l.Name] = connections{
			opened: opened.WithLabelValues(l.Name), closed: closed.WithLabelValues(l.Name), open: open.WithLabelValues(l.Name),
			refused: refused.MustCurryWith(prometheus.Labels{"listener": l.Name}), blocked: blocked.WithLabelValues(l.Name),
		}
	}
	return of
}

// Request counts one request that is over.
func (t *Traffic) Request(o kafka.Observation) {
	instruments := t.instruments(o.Key)
	instruments.requests.Inc()
	instruments.bytesIn.Add(float64(o.BytesIn))
	instruments.bytesOut.Add(float64(o.BytesOut))
	instruments.seconds.Observe(o.Duration.Seconds())
}

// ConnectionOpened counts a connection of a listener.
func (t *Traffic) ConnectionOpened(listener string) {
	if c, ok := t.connections[listener]; ok {
		c.opened.Inc()
		c.open.Inc()
	}
}

// ConnectionClosed counts its end.
func (t *Traffic) ConnectionClosed(listener string) {
	if c, ok := t.connections[listener]; ok {
		c.closed.Inc()
		c.open.Dec()
	}
}

// ConnectionRefused counts a connection that the broker closed.
func (t *Traffic) ConnectionRefused(listener, cause string) {
	if c, ok := t.connections[listener]; ok {
		c.refused.WithLabelValues(cause).Inc()
	}
}

// AcceptBlocked counts the time for which a listener took no connection.
func (t *Traffic) AcceptBlocked(listener string, d time.Duration) {
	if c, ok := t.connections[listener]; ok {
		c.blocked.Add(d.Seconds())
	}
}

var _ kafka.Metrics = (*Traffic)(nil)
