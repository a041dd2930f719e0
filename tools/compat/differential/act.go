package differential

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// patience is how long an answer that may wait is waited for before the next
// step. Too short it would cost nothing but that this is another one.
const patience = 25 * time.Millisecond

// calmTimeout is how long both have to show the same group after a step, and
// otherTimeout how long one has to answer what the other has answered.
const (
	calmTimeout  = 20 * time.Second
	otherTimeout = 5 * time.Second
)

// stage is the play that goes on.
type stage struct {
	group string
	// waiting are the requests that neither broker has answered, by connection.
	waiting map[int]request
	// over is set once the answers differ, and what follows would too.
	over bool
	// last is set once one broker has told a member what the other has not: the
	// requests that follow would not be the same.
	last bool
	// leader is who led last, as Kafka told a member; empty before the first, and
	// nobody since the group was one of the consumer protocol.
	leader string
	// drifted is set while members of a classic group have not the same; see
	// differences.txt. What comes of the group hangs on it.
	drifted bool
	// configured is set once somebody has asked to change the group's configs.
	configured bool
	// acts are what was asked until now, for people.
	acts []string
}

// act takes a step of a play: it sends the request, compares what is answered
// now, also to those that waited, and looks at the group. A step whose
// connection is still waited on is left out.
func (c *comparison) act(one step) error {
	if c.stage.group != one.group {
		c.endPlay()
		c.stage = stage{group: one.group, waiting: map[int]request{}}
	}
	if c.stage.over || c.stage.last {
		return nil
	}
	c.gather()
	if c.waits(one.connection) || c.stage.over || c.stage.last {
		return nil
	}
	r := one.requests[0]
	if err := errors.Join(c.theirs.send(one.connection, r), c.ours.send(one.connection, r)); err != nil {
		return err
	}
	c.stage.waiting[one.connection] = r
	c.stage.configured = c.stage.configured || r.Key() == incrementalAlterConfigs
	c.stage.acts = append(c.stage.acts, fmt.Sprintf("%d: %s %.700s", one.connection-connections, r.name(), r.text()))
	until := time.Now().Add(answerTimeout)
	if r.waits {
		until = time.Now().Add(patience)
	}
	for c.waits(one.connection) && time.Now().Before(until) {
		c.gather()
	}
	if c.waits(one.connection) && !r.waits {
		return fmt.Errorf("neither answers %s within %v", r.name(), answerTimeout)
	}
	if r.resolves {
		return c.resolved()
	}
	return c.calm()
}

func (c *comparison) waits(connection int) bool {
	_, waits := c.stage.waiting[connection]
	return waits
}

// endPlay gives up what is still waited for.
func (c *comparison) endPlay() {
	for n := range c.stage.waiting {
		c.theirs.drop(n)
		c.ours.drop(n)
	}
}

// gather takes the answers that have come. Where one broker has answered, the
// other has its time to do so.
func (c *comparison) gather() {
	for found := true; found; {
		found = false
		for _, n := range slices.Sorted(maps.Keys(c.stage.waiting)) {
			if c.theirs.arrived(n) || c.ours.arrived(n) {
				c.answered(n)
				found = true
			}
		}
	}
}

func (c *comparison) answered(connection int) {
	r := c.stage.waiting[connection]
	delete(c.stage.waiting, connection)
	theirs, ours := c.theirs.await(connection, r), c.ours.await(connection, r)
	c.stage.acts = append(c.stage.acts, fmt.Sprintf("%d: error code %s / %s", connection-connections, theirs["ErrorCode"], ours["ErrorCode"]))
	if c.stage.last = c.stage.last || c.electsAnother(r, theirs, ours); c.stage.last {
		return
	}
	found := c.differences.forbidden(r.name(), theirs, ours)
	if (r.resolves || r.catchesUp) && theirs["ErrorCode"] == "0" && ours["ErrorCode"] == "0" {
		found = nil
	}
	c.noteAct(r, found)
	c.stage.last = theirs[connectionField] != ours[connectionField] || r.Key() == offsetCommit && differIn(theirs, ours, ".ErrorCode") || c.forgets(r, theirs)
	if (c.theirs.conns[connection] == nil) != (c.ours.conns[connection] == nil) {
		c.theirs.drop(connection)
		c.ours.drop(connection)
	}
}

// electsAnother reports whether the leader has gone and each broker has made
// another member the next: Kafka takes the one that its hash table has first,
// by ids that it made itself. What follows would not be the same.
func (c *comparison) electsAnother(r request, theirs, ours fields) bool {
	before, next := c.stage.leader, theirs["LeaderID"]
	switch {
	case theirs["ErrorCode"] != "0":
		return false
	case r.Key() == consumerHeartbeat:
		c.stage.leader = nobody
		return false
	case r.Key() != joinGroup || next == `""`:
		return false
	}
	c.stage.leader = next
	return before != "" && next != before && ours["ErrorCode"] == "0" && ours["LeaderID"] != next && ours["LeaderID"] != before
}

// forgets reports whether a JoinGroup was refused that may have met a consumer
// group without members: Kafka begins that group anew then, though it goes on to
// describe it as it was.
func (c *comparison) forgets(r request, theirs fields) bool {
	return r.Key() == joinGroup && c.stage.leader == nobody && theirs["ErrorCode"] == unknownMember
}

func (c *comparison) noteAct(r request, found []difference) {
	c.report.asked[r.api()]++
	c.asked++
	if len(found) == 0 {
		return
	}
	c.stage.over = true
	acts := c.stage.acts[max(0, len(c.stage.acts)-mostTold):]
	c.report.add(c.asked, r, fmt.Sprintf(" after\n         %s", strings.Join(acts, "\n         ")), found)
}

// nobody is no member's name.
const nobody = "nobody"

// unknownMember is UNKNOWN_MEMBER_ID.
const unknownMember = "25"

// mostTold is how many acts are told of, the latest; each is told with the answer
// to it.
const mostTold = 40

// calm returns once both show the same group, and the same configs of it: Kafka
// shows those a little after it has acknowledged them.
func (c *comparison) calm() error {
	version := int16(len(c.stage.acts) % 2)
	classic, consumer := versioned(15, 5+version).(*kmsg.DescribeGroupsRequest), versioned(69, version).(*kmsg.ConsumerGroupDescribeRequest)
	classic.Groups, consumer.Groups = []string{c.stage.group}, []string{c.stage.group}
	asked := []kmsg.Request{classic, consumer}
	if c.stage.configured {
		asked = append(asked, describeGroupConfigs(c.stage.group))
	}
	for until := time.Now().Add(calmTimeout); ; {
		c.gather()
		over, left := time.Now().After(until), 0
		for _, q := range asked {
			found, err := c.look(q)
			if err != nil {
				return err
			}
			left += len(found)
			if over {
				c.noteAct(request{Request: q}, found)
			}
		}
		if left == 0 || c.stage.over {
			c.stage.last = c.stage.last || c.stage.drifted
			return nil
		}
	}
}

// resolved returns once the regular expressions of both are: that raises the
// epoch of the group.
func (c *comparison) resolved() error {
	describe, path := versioned(69, 0).(*kmsg.ConsumerGroupDescribeRequest), "Groups["+c.stage.group+"].Epoch"
	describe.Groups = []string{c.stage.group}
	for until := time.Now().Add(calmTimeout); ; {
		c.gather()
		theirs, ours, err := c.both(describe)
		if err != nil || theirs[path] == ours[path] || c.stage.over {
			return err
		}
		if time.Now().After(until) {
			c.noteAct(request{Request: describe}, []difference{{path, theirs[path], ours[path]}})
			return nil
		}
	}
}

// both asks both brokers, between the steps.
func (c *comparison) both(q kmsg.Request) (theirs, ours fields, err error) {
	answer, err := c.theirs.control(q)
	if err != nil {
		return nil, nil, err
	}
	theirs = fieldsOf(answer)
	if answer, err = c.ours.control(q); err != nil {
		return nil, nil, err
	}
	return theirs, fieldsOf(answer), nil
}

// look describes the group.
func (c *comparison) look(q kmsg.Request) ([]difference, error) {
	theirs, ours, err := c.both(q)
	if err != nil {
		return nil, err
	}
	if q.Key() == describeGroups {
		c.stage.drifted = differIn(theirs, ours, ".MemberAssignment")
	}
	if theirs["Groups["+c.stage.group+"].State"] == `"Assigning"` {
		unassigned(theirs)
		unassigned(ours)
	}
	return c.differences.forbidden(request{Request: q}.name(), theirs, ours), nil
}

// differIn reports whether a field differs whose path ends so.
func differIn(theirs, ours fields, path string) bool {
	return slices.ContainsFunc(differing(theirs, ours), func(one difference) bool { return strings.HasSuffix(one.path, path) })
}

// unassigned takes out what an assignment changes. When a member has left,
// Kafka makes the next one as soon as another asks for its part, and Odradek at
// once.
func unassigned(f fields) {
	for path := range f {
		if strings.HasSuffix(path, "].State") || strings.HasSuffix(path, ".AssignmentEpoch") || strings.Contains(path, ".TargetAssignment") {
			delete(f, path)
		}
	}
}

// send sends one request; what becomes of it is seen when it is waited for.
func (s *side) send(connection int, r request) error {
	conn, err := s.connection(connection)
	if err != nil {
		return err
	}
	_ = conn.SetDeadline(time.Now().Add(answerTimeout)) // of an open connection
	if _, err := conn.Write(s.frame(r, 0)); err != nil {
		s.drop(connection)
	}
	return nil
}

// arrived reports whether there is something to read, or the broker has closed
// the connection.
func (s *side) arrived(connection int) bool {
	conn := s.conns[connection]
	if conn == nil {
		return true
	}
	_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond)) // of an open connection
	_, err := conn.in.Peek(1)
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

func (s *side) await(connection int, r request) fields {
	if s.conns[connection] == nil {
		return fields{connectionField: "closed"}
	}
	timeout := answerTimeout
	if r.waits {
		timeout = otherTimeout
	}
	_ = s.conns[connection].SetReadDeadline(time.Now().Add(timeout)) // of an open connection
	return s.receive(connection, r, 0)
}
