package kafka

import (
	"encoding/binary"
	"slices"

	"github.com/twmb/franz-go/pkg/kbin"

	"odradek.dev/core/internal/metadata"
)

// endpoints collects the leaders that an answer names beside an error, since
// it must also say where they are (KIP-951).
type endpoints struct {
	image    *metadata.Image
	listener string
	named    []int32
}

// endpoints begins a collection for one answer.
func (c *connection) endpoints() endpoints {
	return endpoints{image: c.server.backend.Controller.Image(), listener: c.caller.Listener.Name}
}

// appendLeader appends the tagged fields of a partition, in which the current
// leader is number tag; leader is -1 for none.
func (e *endpoints) appendLeader(b []byte, tag uint64, leader, epoch int32) []byte {
	if leader < 0 {
		return append(b, 0)
	}
	if !slices.Contains(e.named, leader) {
		e.named = append(e.named, leader)
	}
	b = append(b, 1)
	b = binary.AppendUvarint(b, tag)
	b = append(b, 4+4+1)
	b = kbin.AppendInt32(b, leader)
	b = kbin.AppendInt32(b, epoch)
	return append(b, 0)
}

// append appends the tagged fields of the answer, in which number 0 is the
// endpoints of the leaders that were named.
func (e *endpoints) append(b []byte) []byte {
	var list []byte
	count := 0
	for _, id := range e.named {
		broker, at, ok := brokerAt(e.image, e.listener, id)
		if !ok {
			continue
		}
		count++
		list = kbin.AppendInt32(list, id)
		list = appendText(list, at.Host, true)
		list = kbin.AppendInt32(list, at.Port)
		list = kbin.AppendCompactNullableString(list, rackOf(broker))
		list = append(list, 0)
	}
	if count == 0 {
		return append(b, 0)
	}
	list = append(appendCount(nil, count, true), list...)
	b = append(b, 1, 0)
	b = binary.AppendUvarint(b, uint64(len(list)))
	return append(b, list...)
}
