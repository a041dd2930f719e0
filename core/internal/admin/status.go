package admin

import (
	"context"
	"net/http"
	"time"
)

// healthTimeout is what the modules have to say whether they are well.
const healthTimeout = 2 * time.Second

func (o Options) healthz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), healthTimeout)
	defer cancel()
	o.status(w, o.Modules.Health(ctx))
}

func (o Options) readyz(w http.ResponseWriter, _ *http.Request) { o.status(w, o.Ready()) }

func (o Options) status(w http.ResponseWriter, err error) {
	if err != nil {
		answer(w, http.StatusServiceUnavailable, map[string]string{"status": "unavailable", "error": err.Error()})
		return
	}
	answer(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (o Options) config(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"values": o.Config})
}
