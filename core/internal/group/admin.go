package group

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/step"
)

// notFoundSince is the first version of DescribeGroups that says that a group
// is not there; before, it is one that is dead.
const notFoundSince = 6

// List is the groups that a request asks for, in no order.
func (m *Machine) List(q *kmsg.ListGroupsRequest) []kmsg.ListGroupsResponseGroup {
	var found []kmsg.ListGroupsResponseGroup
	for _, e := range m.groups {
		g := e.listed()
		if matches(q.StatesFilter, g.GroupState) && matches(q.TypesFilter, g.GroupType) {
			found = append(found, g)
		}
	}
	return found
}

// matches says whether a filter lets a word through; an empty one lets all.
func matches(filter []string, word string) bool {
	return len(filter) == 0 || slices.ContainsFunc(filter, func(f string) bool { return strings.EqualFold(f, word) })
}

func (e *entry) listed() kmsg.ListGroupsResponseGroup {
	g := kmsg.NewListGroupsResponseGroup()
	g.Group = e.id
	g.GroupType, g.GroupState = e.kind()
	if g.ProtocolType = step.ConsumerProtocol; e.consumer == nil {
		g.ProtocolType = e.classic.ProtocolType()
	}
	return g
}

func (m *Machine) describe(q *kmsg.DescribeGroupsRequest) *kmsg.DescribeGroupsResponse {
	response := kmsg.NewPtrDescribeGroupsResponse()
	for _, id := range q.Groups {
		if e := m.groups[id]; e != nil && e.classic != nil {
			response.Groups = append(response.Groups, e.classic.Describe())
			continue
		}
		g := kmsg.NewDescribeGroupsResponseGroup()
		g.Group, g.State = id, string(classic.Dead)
		if q.Version >= notFoundSince {
			why := fmt.Sprintf("group %q does not exist", id)
			if m.groups[id] != nil {
				why = fmt.Sprintf("group %q is not a classic group", id)
			}
			g.ErrorCode, g.ErrorMessage = kerr.GroupIDNotFound.Code, &why
		}
		response.Groups = append(response.Groups, g)
	}
	return response
}

func (m *Machine) describeConsumer(q *kmsg.ConsumerGroupDescribeRequest) *kmsg.ConsumerGroupDescribeResponse {
	response := kmsg.NewPtrConsumerGroupDescribeResponse()
	for _, id := range q.Groups {
		if e := m.groups[id]; e != nil && e.consumer != nil {
			response.Groups = append(response.Groups, e.consumer.Describe())
			continue
		}
		g := kmsg.NewConsumerGroupDescribeResponseGroup()
		kind, why := kerr.GroupIDNotFound, fmt.Sprintf("group %q does not exist", id)
		switch {
		case id == "":
			kind, why = kerr.InvalidGroupID, "the id of a group of the consumer protocol must not be empty"
		case m.groups[id] != nil:
			why = fmt.Sprintf("group %q is not a consumer group", id)
		}
		g.Group, g.ErrorCode, g.ErrorMessage = id, kind.Code, &why
		response.Groups = append(response.Groups, g)
	}
	return response
}

// deleteGroup deletes the groups of the request, which are this machine's. The
// offsets go first, so that a crash in between leaves no offsets of a group
// that is not there.
func (m *Machine) deleteGroup(now int64, to step.Token, q *kmsg.DeleteGroupsRequest, out *step.Output) {
	response := kmsg.NewPtrDeleteGroupsResponse()
	for _, id := range q.Groups {
		g := kmsg.NewDeleteGroupsResponseGroup()
		g.Group = id
		if kind, why := m.remove(now, id, out); kind != nil {
			g.ErrorCode, g.ErrorMessage = kind.Code, &why
		}
		response.Groups = append(response.Groups, g)
	}
	out.Answer(to, response)
}

func (m *Machine) remove(now int64, id string, out *step.Output) (kind *kerr.Error, why string) {
	e := m.groups[id]
	switch {
	case e == nil:
		return kerr.GroupIDNotFound, fmt.Sprintf("group %q does not exist", id)
	case e.size() > 0 || e.classic != nil && e.classic.State() != classic.Empty:
		return kerr.NonEmptyGroup, fmt.Sprintf("group %q has members: stop its %d consumers first", id, e.size())
	}
	m.write(m.offsets.DeleteGroup(id), out)
	e.entomb(out)
	m.settle(now, e, out)
	return nil, ""
}

func (e *entry) size() int {
	if e.consumer != nil {
		return e.consumer.Members()
	}
	return e.classic.Size()
}

// entomb deletes an empty group from the log, if that has it.
func (e *entry) entomb(out *step.Output) {
	if e.consumer != nil {
		e.consumer.Remove(out)
	} else if !e.classic.Vacant() {
		_ = e.classic.Remove(out) // it is empty
	}
}
