package admin

import (
	"net/http"

	"odradek.dev/core/internal/group/step"
)

// The JSON of an explanation has the fields of [step.Explanation].
type (
	groupReport struct {
		Group       string         `json:"group"`
		Type        string         `json:"type"`
		State       string         `json:"state"`
		Epoch       int32          `json:"epoch"`
		TargetEpoch int32          `json:"target_epoch"`
		Assignor    string         `json:"assignor"`
		Leader      string         `json:"leader"`
		Why         string         `json:"why"`
		DecidedAtMs int64          `json:"decided_at_ms"`
		Known       bool           `json:"known"`
		Fallback    bool           `json:"fallback"`
		Failure     string         `json:"failure"`
		Members     []memberReport `json:"members"`
	}
	memberReport struct {
		ID         string            `json:"id"`
		Instance   string            `json:"instance"`
		Client     string            `json:"client"`
		Host       string            `json:"host"`
		Rack       string            `json:"rack"`
		Topics     []string          `json:"topics"`
		Expression string            `json:"expression"`
		Assignor   string            `json:"assignor"`
		Epoch      int32             `json:"epoch"`
		Kept       int               `json:"kept"`
		Gained     int               `json:"gained"`
		Lost       int               `json:"lost"`
		Waits      bool              `json:"waits"`
		Partitions []partitionReport `json:"partitions"`
	}
	partitionReport struct {
		Topic     string `json:"topic"`
		Partition int32  `json:"partition"`
		State     string `json:"state"`
		Holder    string `json:"holder"`
	}
)

func (h handlers) group(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	if id == "" {
		refuse(w, http.StatusBadRequest, "name the group, as in /v1/group?id=readers")
		return
	}
	e, ok := h.Group(id)
	if !ok {
		refuse(w, http.StatusNotFound, "this broker coordinates no group %q", id)
		return
	}
	answer(w, http.StatusOK, reportOf(&e))
}

func reportOf(e *step.Explanation) groupReport {
	report := groupReport{
		Group: e.Group, Type: e.Type, State: e.State, Epoch: e.Epoch, TargetEpoch: e.TargetEpoch, Assignor: e.Assignor,
		Leader: e.Leader, Why: e.Why, DecidedAtMs: e.DecidedAtMs, Known: e.Known, Fallback: e.Fallback, Failure: e.Failure,
		Members: []memberReport{},
	}
	for _, m := range e.Members {
		one := memberReport{
			ID: m.ID, Instance: m.Instance, Client: m.Client.ID, Host: m.Client.Host, Rack: m.Rack, Topics: append([]string{}, m.Topics...),
			Expression: m.Expression, Assignor: m.Assignor, Epoch: m.Epoch, Kept: m.Kept, Gained: m.Gained, Lost: m.Lost,
			Waits: m.Waits, Partitions: []partitionReport{},
		}
		for _, p := range m.Partitions {
			one.Partitions = append(one.Partitions, partitionReport{p.Topic, p.Partition, string(p.State), p.Holder})
		}
		report.Members = append(report.Members, one)
	}
	return report
}
