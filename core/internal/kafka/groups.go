package kafka

import (
	"context"
	"net"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// Groups is the coordinators of consumer groups. Safe for concurrent use.
type Groups interface {
	// Find names the broker that coordinates a group.
	Find(ctx context.Context, group string) (node int32, refused *refusal.Refusal)
	// Create makes the topic that groups are kept in, if it is not there.
	Create(ctx context.Context) *refusal.Refusal
	// Do has a request about one group answered. done is called once, perhaps
	// before Do returns and perhaps much later; the response has no version.
	Do(group string, from step.Client, q kmsg.Request, done func(kmsg.Response))
	// List is the groups of this broker; kind is not nil if there may be more.
	List(q *kmsg.ListGroupsRequest) (groups []kmsg.ListGroupsResponseGroup, kind *kerr.Error)
}

// groupRequest is a pointer to a request that can be made.
type groupRequest[T any] interface {
	*T
	kmsg.Request
}

// aboutGroup completes a with requests about one group, which the group's
// coordinator answers when it is time.
func aboutGroup[T any, Q groupRequest[T]](a api, group func(Q) string, definition string) *api {
	return checked(a, func(c *connection, r *request) error {
		q, err := readKept[T, Q](r)
		if err != nil {
			return err
		}
		from := stepClient(c.callerOf(r))
		return c.ask(r, q, func(done func(kmsg.Response)) {
			c.server.backend.Groups.Do(group(q), from, q, done)
		})
	}, definition)
}

// aboutGroups completes a with requests about several groups. split makes the
// request about each of them, in order, and join one response of theirs.
func aboutGroups[T any, Q groupRequest[T]](
	a api, split func(Q) []groupPart, join func(q Q, parts []kmsg.Response) kmsg.Response, definition string,
) *api {
	return checked(a, func(c *connection, r *request) error {
		q, err := readKept[T, Q](r)
		if err != nil {
			return err
		}
		from, parts := stepClient(c.callerOf(r)), split(q)
		return c.ask(r, q, func(done func(kmsg.Response)) {
			gathered := newGather(len(parts), func(answers []kmsg.Response) { done(join(q, answers)) })
			for i, part := range parts {
				c.server.backend.Groups.Do(part.group, from, part.request, gathered.at(i))
			}
		})
	}, definition)
}

// groupPart is the part of a request that is about one group.
type groupPart struct {
	group   string
	request kmsg.Request
}

// partOfEach makes the part about each group of a request that only names them.
func partOfEach(groups []string, about func(one []string) kmsg.Request) []groupPart {
	var parts []groupPart
	for _, id := range groups {
		parts = append(parts, groupPart{id, about([]string{id})})
	}
	return parts
}

// readKept decodes a request that outlives its frame.
func readKept[T any, Q groupRequest[T]](r *request) (Q, error) {
	q := Q(new(T))
	q.SetVersion(r.version)
	if err := q.ReadFrom(append([]byte(nil), r.body...)); err != nil {
		return nil, malformed(r, err)
	}
	return q, nil
}

func stepClient(c *Caller) step.Client { return step.Client{ID: c.ClientID, Host: c.Host} }

func hostOf(remote net.Addr) string {
	if at, ok := remote.(*net.TCPAddr); ok {
		return "/" + at.IP.String()
	}
	return "/" + remote.String()
}
