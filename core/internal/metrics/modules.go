package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/guard"
)

// modules collects what a guard set counted, when it is scraped.
type modules struct {
	reports func() []guard.Report

	calls, errors, fallbacks, restarts, up, seconds *prometheus.Desc
}

// RegisterModules puts the modules' calls into r.
func RegisterModules(r prometheus.Registerer, reports func() []guard.Report) {
	describe := func(name, help string, more ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, append([]string{"kind", "name"}, more...), nil)
	}
	r.MustRegister(&modules{
		reports:   reports,
		calls:     describe("odradek_module_calls_total", "Calls to the module."),
		errors:    describe("odradek_module_errors_total", "Calls that failed, were late or had a wrong answer."),
		fallbacks: describe("odradek_module_fallbacks_total", "Calls that the built-in module answered instead."),
		restarts:  describe("odradek_module_restarts_total", "Starts of the module's process after its first."),
		up:        describe("odradek_module_up", "1 if the module takes calls, 0 if its process is not there."),
		seconds:   describe("odradek_module_call_seconds", "Time of a call since the broker started, by quantile.", "quantile"),
	})
}

func (m *modules) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.calls, m.errors, m.fallbacks, m.restarts, m.up, m.seconds} {
		ch <- d
	}
}

func (m *modules) Collect(ch chan<- prometheus.Metric) {
	for _, r := range m.reports() {
		kind, name := string(r.Descriptor.Kind), r.Descriptor.Name
		counter := func(d *prometheus.Desc, n uint64) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), kind, name)
		}
		counter(m.calls, r.Stats.Calls)
		counter(m.errors, r.Stats.Errors)
		counter(m.fallbacks, r.Stats.Fallbacks)
		counter(m.restarts, uint64(r.Process.Restarts))
		up := 0.0
		if r.Process.State == "running" {
			up = 1
		}
		ch <- prometheus.MustNewConstMetric(m.up, prometheus.GaugeValue, up, kind, name)
		ch <- prometheus.MustNewConstMetric(m.seconds, prometheus.GaugeValue, r.Stats.P50.Seconds(), kind, name, "0.5")
		ch <- prometheus.MustNewConstMetric(m.seconds, prometheus.GaugeValue, r.Stats.P99.Seconds(), kind, name, "0.99")
	}
}
