package kafka

import (
	"iter"

	"odradek.dev/core/internal/metadata"
)

// brokersAt is the brokers that clients of the listener can reach, and where.
func brokersAt(image *metadata.Image, listener string) iter.Seq2[metadata.Broker, metadata.Endpoint] {
	return func(yield func(metadata.Broker, metadata.Endpoint) bool) {
		for _, b := range image.Brokers() {
			if at, ok := b.Endpoint(listener); ok && !yield(b, at) {
				return
			}
		}
	}
}

// brokerAt is one of them.
func brokerAt(image *metadata.Image, listener string, id int32) (metadata.Broker, metadata.Endpoint, bool) {
	b, registered := image.Broker(id)
	if !registered {
		return b, metadata.Endpoint{}, false
	}
	at, ok := b.Endpoint(listener)
	return b, at, ok
}

// rackOf is null for a broker without a rack.
func rackOf(b metadata.Broker) *string {
	if b.Rack == "" {
		return nil
	}
	return &b.Rack
}
