// Package step is what the state machines of groups are given and what they
// give back. A machine never waits: whatever needs an answer later carries a
// Token, and the answer comes in the output of the step that decides it.
package step

import (
	"math"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/sdk/assignor"
)

// Token names a request until it is answered. The shell gives them out, each
// once.
type Token uint64

// Client is who sent a request.
type Client struct {
	ID string
	// Host is written as Kafka does, with a slash before the address.
	Host string
}

// Answer is the response to one request. Its version is set by the shell.
type Answer struct {
	To       Token
	Response kmsg.Response
}

// Assign asks for an assignment. The machine goes on without it: the shell
// computes it, and gives it back as an input with the same group and epoch.
type Assign struct {
	Group string
	// Epoch is the group epoch that the assignment is for.
	Epoch int32
	// Assignor is its name.
	Assignor string
	Snapshot assignor.Snapshot
}

// Assigned answers an [Assign].
type Assigned struct {
	Assign
	Assignment assignor.Assignment
	// Fallback says that the built-in assignor did it, since the one that was
	// asked failed.
	Fallback bool
	// Err says that there is no assignment.
	Err error
}

// Resolve asks which topics regular expressions come to. The machine goes on
// without knowing: the shell matches them with the names of all topics, and gives
// the answer back as an input.
type Resolve struct {
	Group string
	// Expressions are in the syntax of RE2, ascending, each once.
	Expressions []string
	// Version is that of the metadata in this step: its topics are meant.
	Version int64
}

// Resolved answers a [Resolve]. The answer to the same question is the same,
// whoever asked and how often.
type Resolved struct {
	Resolve
	// Topics has for each expression the names that it matches, ascending.
	Topics [][]string
	// Err says that there is no answer.
	Err error
}

// Output is what one step came to. The records are appended to the log, in
// order and as one batch if they are not many; the answers are given when they are committed. If
// they cannot be, the shell throws the machine away and builds it anew from the
// log, so that what the machine remembers is never more than the log does.
type Output struct {
	Records []grouplog.Record
	Answers []Answer
	Assigns []Assign
	// Resolves has at most one of each group.
	Resolves []Resolve
	// Notes are for people: what was decided and why, one sentence each.
	Notes []string
	// Rebalances are those that this step ended.
	Rebalances []Rebalance
}

// Rebalance is one that is over: all members have what they are to have.
type Rebalance struct {
	// Type is that of the group: classic or consumer.
	Type string
	// TookMs is from its cause on; a cause that comes before the end does not
	// begin another.
	TookMs int64
}

// Answer adds an answer.
func (o *Output) Answer(to Token, response kmsg.Response) {
	o.Answers = append(o.Answers, Answer{To: to, Response: response})
}

// Never is the deadline of a machine that waits for nothing. Times and
// deadlines are Unix milliseconds.
const Never int64 = math.MaxInt64

// World is what a machine may ask about the rest of the broker. What it answers
// changes only between steps.
type World interface {
	// NewID makes an identity that was never there before: the random part of
	// a member id.
	NewID() string
	// Topic describes a topic by name. The result is not changed by anyone.
	Topic(name string) (Topic, bool)
	// TopicName finds the name of a topic's id.
	TopicName(id [16]byte) (string, bool)
	// MetadataVersion grows with every change of topics.
	MetadataVersion() int64
	// Settings of one group: the broker's with the group's own over them.
	Settings(group string) *Settings
	// Lags has for each partition of a topic the records that the group has
	// yet to consume, -1 if unknown.
	Lags(group, topic string) []int64
}

// Topic is a topic as the coordinator sees it.
type Topic struct {
	ID         [16]byte
	Name       string
	Partitions int32
	// Racks has for each partition the racks of its replicas; nil if none is
	// known.
	Racks [][]string
}

// Settings is the configuration of one group.
type Settings = config.Groups
