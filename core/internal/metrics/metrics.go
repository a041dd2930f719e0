// Package metrics is the broker's Prometheus instruments. What is counted on
// the path of a request is resolved once: an observation looks nothing up by
// label and allocates nothing. What can be asked for (modules, logs) is
// asked when somebody scrapes.
package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// New makes a registry with the instruments of the process and the Go runtime.
// It is the broker's own, not the global one: several brokers can run in one
// process.
func New() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return r
}
