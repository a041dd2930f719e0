package raft

import (
	"go.etcd.io/raft/v3/raftpb"

	"odradek.dev/sdk/module"
)

// transport carries messages to the other voters. Send does not wait, and may
// lose messages.
type transport interface {
	Send(messages []*raftpb.Message) error
}

// alone is the transport of a voter that has no others: a message means that
// the set of voters is not what it is believed to be.
type alone struct{}

func (alone) Send(messages []*raftpb.Message) error {
	if len(messages) == 0 {
		return nil
	}
	return module.Fatalf("raft wants to send %s to voter %d, but this release has one voter only", messages[0].GetType(), messages[0].GetTo())
}
