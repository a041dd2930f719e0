package kafka

import (
	"sync"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group"
)

// groupCall is a request that a coordinator answers, mostly at once and
// sometimes when others have come or a time has passed.
type groupCall struct {
	slot
	request     kmsg.Request
	correlation int32
	flexible    bool

	mu       sync.Mutex
	response kmsg.Response
	// queued says that the call has its place among the responses.
	queued bool
}

// ask calls f, which has q answered, and answers r then.
func (c *connection) ask(r *request, q kmsg.Request, f func(done func(kmsg.Response))) error {
	g := &groupCall{request: q, correlation: r.correlation, flexible: r.flexibleResponse()}
	f(g.answer)
	if response := g.answered(); response != nil {
		out := c.begin(r)
		out.buf = response.AppendTo(out.buf)
		return c.answered(r, out)
	}
	if err := c.wait(r, &g.slot, g); err != nil {
		return err
	}
	g.queue()
	return nil
}

// answer takes the first response; there may be another when the connection
// was in a hurry.
func (g *groupCall) answer(response kmsg.Response) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.response != nil {
		return
	}
	response.SetVersion(g.request.GetVersion())
	g.response = response
	if g.queued {
		g.conn.waiting.ready(&g.slot)
	}
}

func (g *groupCall) answered() kmsg.Response {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.response
}

func (g *groupCall) queue() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.queued = true; g.response != nil {
		g.conn.waiting.ready(&g.slot)
	}
}

func (g *groupCall) respond(out *outbound) int64 {
	out.begin(g.correlation, g.flexible)
	out.buf = g.answered().AppendTo(out.buf)
	return out.end()
}

// hurry tells the client to look for its coordinator: the broker stops.
func (g *groupCall) hurry() { g.answer(group.Refuse(g.request, kerr.NotCoordinator)) }

func (g *groupCall) done() {}

func (g *groupCall) abandon() {}

// gather collects the answers to the parts of a request.
type gather struct {
	mu      sync.Mutex
	answers []kmsg.Response
	left    int
	then    func([]kmsg.Response)
}

// newGather calls then when there is an answer in every place, which without
// places is now.
func newGather(places int, then func([]kmsg.Response)) *gather {
	if places == 0 {
		then(nil)
	}
	return &gather{answers: make([]kmsg.Response, places), left: places, then: then}
}

// at is what takes the answer for a place.
func (g *gather) at(place int) func(kmsg.Response) {
	return func(response kmsg.Response) {
		g.mu.Lock()
		g.answers[place] = response
		g.left--
		last := g.left == 0
		g.mu.Unlock()
		if last {
			g.then(g.answers)
		}
	}
}
