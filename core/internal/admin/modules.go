package admin

import (
	"net/http"
	"time"
)

// moduleReport is one line of `odradek plugin list`. Times are microseconds.
type moduleReport struct {
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Version   string `json:"version"`
	Binding   string `json:"binding"`
	PID       int    `json:"pid"`
	State     string `json:"state"`
	Restarts  int    `json:"restarts"`
	Calls     uint64 `json:"calls"`
	Errors    uint64 `json:"errors"`
	Fallbacks uint64 `json:"fallbacks"`
	P50Us     int64  `json:"p50_us"`
	P99Us     int64  `json:"p99_us"`
	LastError string `json:"last_error"`
}

func (h handlers) modules(w http.ResponseWriter, _ *http.Request) {
	list := []moduleReport{}
	for _, r := range h.Modules.Reports() {
		list = append(list, moduleReport{
			Kind: string(r.Descriptor.Kind), Name: r.Descriptor.Name, Version: r.Descriptor.Version, Binding: r.Binding,
			PID: r.Process.PID, State: r.Process.State, Restarts: r.Process.Restarts,
			Calls: r.Stats.Calls, Errors: r.Stats.Errors, Fallbacks: r.Stats.Fallbacks,
			P50Us: microseconds(r.Stats.P50), P99Us: microseconds(r.Stats.P99),
			LastError: r.Stats.LastError,
		})
	}
	answer(w, http.StatusOK, map[string]any{"modules": list})
}

// microseconds rounds up: a call that was made took some time.
func microseconds(d time.Duration) int64 {
	return int64((d + time.Microsecond - 1) / time.Microsecond)
}
