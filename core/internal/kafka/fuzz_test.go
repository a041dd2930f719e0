package kafka

import (
	"encoding/binary"
	"net"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Every version of every API that is served passes its own check, and cut off
// anywhere it does not.
func TestShapesFitTheirRequests(t *testing.T) {
	table := newTable()
	eachSample(func(a *api, version int16, whole []byte) {
		require.NoError(t, parseAll(table, whole), "%s version %d", a.name, version)
		for n := range whole {
			require.Error(t, parseAll(table, whole[:n]), "%s version %d cut at %d of %d", a.name, version, n, len(whole))
		}
		require.Error(t, parseAll(table, append(whole, 0)), "%s version %d with a byte behind", a.name, version)
	})
}

// parseAll decodes a frame as far as a handler would, with nothing behind it.
func parseAll(t *table, frame []byte) error {
	var r request
	if err := r.parse(t, frame); err != nil {
		return err
	}
	switch r.api.key {
	case 0:
		return new(produceCall).decode(&r)
	case 1:
		return new(fetchCall).decode(&r)
	}
	if r.versionFailed {
		return nil
	}
	q := kmsg.RequestForKey(r.api.key)
	q.SetVersion(r.version)
	return q.ReadFrom(r.body)
}

// Counts that are as large as the bytes allow do not multiply the memory.
func TestCountsDoNotMultiplyMemory(t *testing.T) {
	table := newTable()
	const size = 128 << 10
	eachSample(func(a *api, version int16, whole []byte) {
		if version != a.min && version != a.max && version != a.flexibleFrom {
			return
		}
		for _, filler := range []byte{0, 1} {
			for at := len(whole) - len(kmsgBody(a, version)); at < len(whole); at++ {
				hostile := make([]byte, at, at+size)
				copy(hostile, whole)
				for len(hostile) < at+size-8 {
					hostile = append(hostile, filler)
				}
				if a.flexible(version) {
					copy(hostile[at:], binary.AppendUvarint(nil, size/2))
				} else {
					binary.BigEndian.PutUint32(hostile[at:], size/4)
				}
				requireCheap(t, table, hostile)
			}
		}
	})
}

func kmsgBody(a *api, version int16) []byte { return sample(a.key, version).AppendTo(nil) }

func FuzzRequest(f *testing.F) {
	eachSample(func(_ *api, _ int16, whole []byte) { f.Add(whole) })
	table := newTable()
	f.Fuzz(func(t *testing.T, frame []byte) {
		if len(frame) >= leastFrame {
			requireCheap(t, table, frame)
		}
	})
}

func FuzzProduceDecode(f *testing.F) {
	for version := int16(3); version <= 13; version++ {
		f.Add(version, sample(0, version).AppendTo(nil))
	}
	api := newTable().find(0)
	f.Fuzz(func(t *testing.T, version int16, body []byte) {
		if !api.serves(version) {
			return
		}
		var p produceCall
		if p.decode(&request{api: api, version: version, body: body}) != nil {
			return
		}
		// What was understood is what kmsg understands.
		q := kmsg.NewPtrProduceRequest()
		q.SetVersion(version)
		if q.ReadFrom(body) != nil {
			return
		}
		q.Topics = slices.DeleteFunc(q.Topics, func(t kmsg.ProduceRequestTopic) bool { return len(t.Partitions) == 0 })
		require.Len(t, p.topics, len(q.Topics))
		require.Equal(t, q.Acks, p.acks)
		for i, topic := range q.Topics {
			require.Len(t, topic.Partitions, p.topics[i].end-p.topics[i].first)
			for j, want := range topic.Partitions {
				got := p.partitions[p.topics[i].first+j]
				require.Equal(t, want.Partition, got.index)
				require.Equal(t, len(want.Records), len(got.records))
			}
		}
	})
}

func FuzzFetchDecode(f *testing.F) {
	for version := int16(4); version <= 18; version++ {
		f.Add(version, sample(1, version).AppendTo(nil))
	}
	api := newTable().find(1)
	f.Fuzz(func(t *testing.T, version int16, body []byte) {
		if !api.serves(version) {
			return
		}
		var c fetchCall
		if c.decode(&request{api: api, version: version, body: body}) != nil || c.failure != 0 {
			return
		}
		q := kmsg.NewPtrFetchRequest()
		q.SetVersion(version)
		if q.ReadFrom(body) != nil {
			return
		}
		q.Topics = slices.DeleteFunc(q.Topics, func(t kmsg.FetchRequestTopic) bool { return len(t.Partitions) == 0 })
		require.Len(t, c.topics, len(q.Topics))
		for i, topic := range q.Topics {
			require.Len(t, topic.Partitions, c.topics[i].end-c.topics[i].first)
			for j, want := range topic.Partitions {
				got := c.partitions[c.topics[i].first+j]
				require.Equal(t, want.Partition, got.index)
				require.Equal(t, want.FetchOffset, got.offset)
				require.Equal(t, want.LastFetchedEpoch, got.lastEpoch)
				require.Equal(t, max(want.CurrentLeaderEpoch, -1), got.epoch)
				require.Equal(t, want.PartitionMaxBytes, got.maxBytes)
			}
		}
		if version >= 15 {
			q.ReplicaID = q.ReplicaState.ID
		}
		require.Equal(t, q.ReplicaID, c.replica)
		require.Equal(t, q.SessionID, c.sessionID)
		require.Equal(t, q.SessionEpoch, c.sessionEpoch)
		var want, forgotten []int32
		for _, topic := range q.ForgottenTopics {
			want = append(want, topic.Partitions...)
		}
		eachForgotten(&cursor{b: c.forgotten, flexible: version >= 12}, version, func(_ namedTopic, index int32) {
			forgotten = append(forgotten, index)
		})
		require.Equal(t, want, forgotten)
	})
}

// Whatever arrives, and in whatever pieces, the inbox cuts it as its length
// fields say, and never holds much more than what arrived.
func FuzzFrame(f *testing.F) {
	f.Add([]byte{0, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 9}, uint8(3))
	f.Add([]byte{0x7f, 0xff, 0xff, 0xff}, uint8(1))
	f.Fuzz(func(t *testing.T, sent []byte, piece uint8) {
		client, server := net.Pipe()
		go func() {
			defer client.Close()
			for b := sent; len(b) > 0; {
				n, err := client.Write(b[:min(len(b), int(piece)+1)])
				if err != nil {
					return
				}
				b = b[n:]
			}
		}()
		defer server.Close()
		in := inbox{sock: newSocket(server, 0), buffers: &bufferPool{}, limit: 1 << 20}
		defer in.release()
		rest := sent
		for {
			frame, ok, err := in.next()
			if err != nil {
				return
			}
			if ok {
				size := int(binary.BigEndian.Uint32(rest))
				require.Equal(t, rest[4:4+size], frame)
				rest = rest[4+size:]
				continue
			}
			if in.fill() != nil {
				return
			}
			require.LessOrEqual(t, len(in.buf.b), max(1<<leastBufferBits, 4*len(sent)))
		}
	})
}
