package admin

import "net/http"

// Value is one value of the configuration.
type Value struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

func (h handlers) config(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"values": h.Config})
}
