package metadata

import (
	"cmp"
	"slices"
)

// Broker is a broker that has registered.
type Broker struct {
	ID   int32
	Rack string
	// Epoch grows with every start of the broker.
	Epoch     int64
	Listeners []Endpoint
	// Directories are its log directories, and stay from start to start until
	// it tells others; none if it has not told.
	Directories []Directory
}

// Endpoint is what clients of one listener are told.
type Endpoint struct {
	Listener string
	Host     string
	Port     int32
}

// Endpoint is what clients of a listener are told of the broker; false if it
// has no such listener.
func (b Broker) Endpoint(listener string) (Endpoint, bool) {
	for _, e := range b.Listeners {
		if e.Listener == listener {
			return e, true
		}
	}
	return Endpoint{}, false
}

// Brokers returns the registered brokers, ascending by id. The slice must not
// be modified.
func (i *Image) Brokers() []Broker { return i.brokers }

// Broker finds a registered broker.
func (i *Image) Broker(id int32) (Broker, bool) {
	at, found := findBroker(i.brokers, id)
	if !found {
		return Broker{}, false
	}
	return i.brokers[at], true
}

// findBroker is where the broker stands, or would have to, in brokers that
// ascend by id.
func findBroker(brokers []Broker, id int32) (at int, found bool) {
	return slices.BinarySearchFunc(brokers, id, func(b Broker, id int32) int { return cmp.Compare(b.ID, id) })
}
