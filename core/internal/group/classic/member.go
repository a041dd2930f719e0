package classic

import (
	"bytes"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/deadline"
	"odradek.dev/core/internal/group/step"
)

// member is one member.
type member struct {
	id                                     string
	instanceID                             *string
	client                                 step.Client
	sessionTimeoutMillis, rebalanceTimeout int32
	// protocols are what it supports, the one that it prefers first; a member
	// from the log has only the one that was chosen.
	protocols []kmsg.JoinGroupRequestProtocol
	// assignment is its share; it is no longer what the member has once a
	// rebalance is being prepared.
	assignment []byte

	// isNew: it has never been in a generation. Nobody knows whether the
	// client still waits for the answer, so waiting does not keep it alive.
	isNew bool
	// join and sync are the requests that wait for an answer: join only while
	// a rebalance is being prepared, sync only while one is completed.
	join, sync waiting
	// unsynced: it has joined the generation, and not asked for its share.
	unsynced bool
	session  session
}

// session is how long a member, or one that is to come, is taken to be alive; its
// value is the member's id. One that does not wait does not end by time.
type session = deadline.Entry[string]

// waiting is the request of a member that is not answered yet.
type waiting struct {
	token step.Token
	is    bool
}

func (m *member) isStatic() bool { return m.instanceID != nil }

// metadata is what the member says of itself under a protocol. It reports
// false if the member does not support it.
func (m *member) metadata(protocol string) ([]byte, bool) {
	for _, p := range m.protocols {
		if p.Name == protocol {
			return p.Metadata, true
		}
	}
	return nil, false
}

// says reports whether the member said the same before.
func (m *member) says(protocols []kmsg.JoinGroupRequestProtocol) bool {
	return slices.EqualFunc(m.protocols, protocols, func(a, b kmsg.JoinGroupRequestProtocol) bool {
		return a.Name == b.Name && bytes.Equal(a.Metadata, b.Metadata)
	})
}

// vote is the first of the candidates that the member prefers.
func (m *member) vote(isCandidate func(string) bool) string {
	for _, p := range m.protocols {
		if isCandidate(p.Name) {
			return p.Name
		}
	}
	return ""
}

// copied keeps protocols longer than the request that has them, and of those
// with one name the first.
func copied(protocols []kmsg.JoinGroupRequestProtocol) []kmsg.JoinGroupRequestProtocol {
	kept := make([]kmsg.JoinGroupRequestProtocol, 0, len(protocols))
	names := make(map[string]bool, len(protocols))
	for _, p := range protocols {
		if names[p.Name] {
			continue
		}
		names[p.Name] = true
		kept = append(kept, kmsg.JoinGroupRequestProtocol{Name: p.Name, Metadata: bytes.Clone(p.Metadata)})
	}
	return kept
}
