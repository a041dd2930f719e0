package kgoadapter

import (
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Option changes how an adapter works.
type Option func(*options)

type options struct {
	timeout     time.Duration
	log         hclog.Logger
	consistent  func(*kgo.Record) bool
	userData    func() []byte
	received    func([]byte)
	cooperative bool

	ownedInUserData bool
}

func settle(timeout time.Duration, changes []Option) options {
	o := options{
		timeout: timeout, log: hclog.Default(),
		consistent: func(r *kgo.Record) bool { return r.Key != nil },
		userData:   func() []byte { return nil }, received: func([]byte) {},
	}
	for _, change := range changes {
		change(&o)
	}
	return o
}

// Timeout is the deadline of a call, after which the adapter falls back; 100 ms
// for a partitioner and 5 s for an assignor unless given. The module has to keep
// it: one that does not look at its context is waited for.
func Timeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// Log is where failures of the module are told; hclog.Default unless given.
func Log(log hclog.Logger) Option { return func(o *options) { o.log = log } }

// Consistent says of which records the partitioner is to see all partitions of
// the topic, those without a leader too. The others are placed among the
// partitions that can be written to now. Records with a key unless given.
func Consistent(consistent func(*kgo.Record) bool) Option {
	return func(o *options) { o.consistent = consistent }
}

// UserData is asked, each time this client joins the group, for the bytes that
// the assignor sees as the member's UserData.
func UserData(ask func() []byte) Option { return func(o *options) { o.userData = ask } }

// Received is told the UserData of each assignment that this client gets.
func Received(tell func(userData []byte)) Option { return func(o *options) { o.received = tell } }

// Cooperative makes the balancer one of KIP-429: members go on consuming what
// they keep while the group balances. All members must agree.
func Cooperative() Option { return func(o *options) { o.cooperative = true } }

// OwnedInUserData carries what a member had, and of which generation, in the
// user data, where Kafka's StickyAssignor has it. It is for the protocol
// "sticky", so that clients of several libraries can share a group; UserData is
// not asked then.
func OwnedInUserData() Option { return func(o *options) { o.ownedInUserData = true } }
