package admin

import (
	"context"
	"net/http"
	"time"
)

// healthTimeout is what the modules have to say whether they are well.
const healthTimeout = 2 * time.Second

func (h handlers) healthz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), healthTimeout)
	defer cancel()
	h.status(w, h.Modules.Health(ctx))
}

func (h handlers) readyz(w http.ResponseWriter, _ *http.Request) { h.status(w, h.Ready()) }

func (h handlers) status(w http.ResponseWriter, err error) {
	if err != nil {
		answer(w, http.StatusServiceUnavailable, map[string]string{"status": "unavailable", "error": err.Error()})
		return
	}
	answer(w, http.StatusOK, map[string]string{"status": "ok"})
}
