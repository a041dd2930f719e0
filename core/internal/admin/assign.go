package admin

import (
	"net/http"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

// The JSON of a snapshot and of an assignment is that of sdk/assignor, but that a
// member may leave its generation out and is told by its id.
type (
	assignRequest struct {
		Assignor string           `json:"assignor"`
		Snapshot assignorSnapshot `json:"snapshot"`
	}
	assignorSnapshot struct {
		Group   string           `json:"group"`
		Members []assignorMember `json:"members"`
		Topics  []assignor.Topic `json:"topics"`
	}
	assignorMember struct {
		assignor.Member
		// Generation is that of owned; -1, unknown, if it is left out.
		Generation *int32 `json:"generation"`
	}
	assignResponse struct {
		Assignment assignment `json:"assignment"`
		Fallback   bool       `json:"fallback"`
	}
	assignment struct {
		Members []memberAssignment `json:"members"`
	}
	memberAssignment struct {
		ID string `json:"id"`
		assignor.MemberAssignment
	}
)

func (h handlers) assign(w http.ResponseWriter, r *http.Request) {
	var q assignRequest
	if !read(w, r, &q) {
		return
	}
	a, ok := h.Modules.Assignor(q.Assignor)
	if !ok {
		h.noModule(w, module.Assignor, q.Assignor)
		return
	}
	snapshot := q.Snapshot.contract()
	if err := wellFormed(snapshot); err != nil {
		refuse(w, http.StatusBadRequest, "snapshot: %v", err)
		return
	}
	decided, fallback, err := a.Assign(r.Context(), snapshot)
	if err != nil {
		refuse(w, http.StatusBadGateway, "assignor %s failed, and there is no fallback: %v", q.Assignor, err)
		return
	}
	answer(w, http.StatusOK, assignResponse{Assignment: assignmentOf(snapshot, decided), Fallback: fallback})
}

func (s assignorSnapshot) contract() assignor.Snapshot {
	out := assignor.Snapshot{Group: s.Group, Topics: s.Topics}
	for _, m := range s.Members {
		m.Member.Generation = -1
		if m.Generation != nil {
			m.Member.Generation = *m.Generation
		}
		out.Members = append(out.Members, m.Member)
	}
	return out
}

// wellFormed holds a snapshot to what the contract tells assignors of it.
func wellFormed(s assignor.Snapshot) error {
	topics := map[string]bool{}
	var total int64
	for i, t := range s.Topics {
		total += int64(t.Partitions)
		switch {
		case i > 0 && s.Topics[i-1].Name >= t.Name:
			return module.Invalidf("topics must be in ascending order of name, each once; %q is not", t.Name)
		case t.Partitions < 0:
			return module.Invalidf("topic %q: %d partitions are not allowed; it must be at least 0", t.Name, t.Partitions)
		case total > maxAskedPartitions:
			return module.Invalidf("the topics may have %d partitions together at most", maxAskedPartitions)
		}
		topics[t.Name] = true
	}
	for i, m := range s.Members {
		if i > 0 && s.Members[i-1].ID >= m.ID {
			return module.Invalidf("members must be in ascending order of id, each once; %q is not", m.ID)
		}
		for j, topic := range m.Topics {
			if !topics[topic] {
				return module.Invalidf("member %q subscribes to %q, which is not among the topics", m.ID, topic)
			}
			if j > 0 && m.Topics[j-1] >= topic {
				return module.Invalidf("the topics of member %q must be in ascending order, each once; %q is not", m.ID, topic)
			}
		}
	}
	return nil
}

func assignmentOf(s assignor.Snapshot, a assignor.Assignment) assignment {
	out := assignment{Members: []memberAssignment{}}
	for i, m := range a.Members {
		m.Partitions = append([]assignor.TopicPartitions{}, m.Partitions...)
		out.Members = append(out.Members, memberAssignment{s.Members[i].ID, m})
	}
	return out
}
