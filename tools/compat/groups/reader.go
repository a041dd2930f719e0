package groups

import "errors"

// seat is what a library is given: it consumes the topic with as many members
// of the group as that, from the earliest record on, and lets the library
// commit by itself, as most applications do, unless it commits nothing.
type seat struct {
	addr, group, topic string
	// name comes before the number of a member in the ledger.
	name string
	// protocol is classic or consumer; assignor is one of the broker's, by name,
	// with the second, and empty for the library's usual one.
	protocol, assignor string
	members            int
	// weight is the user data of a classic member of franz-go.
	weight string
	// commitsNothing is for java, librdkafka and franz-go.
	commitsNothing bool
	// moves says that members join and leave and the group changes its protocol
	// under one of franz-go, which commits often: to be told so by an error is no
	// fault then.
	moves  bool
	ledger *ledger
}

// start begins to consume. leave makes the members leave the group and returns
// when they have; it is called once.
type start func(s seat) (leave func() error, err error)

// together is the leave of several members, whatever happens to one of them.
func together(leaves []func() error) func() error {
	return func() error {
		var all []error
		for _, leave := range leaves {
			all = append(all, leave())
		}
		return errors.Join(all...)
	}
}
