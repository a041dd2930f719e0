package differential

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// connections are how many a broker is asked on.
const connections = 4

// versions are those of an API key that are asked, both included.
type versions struct{ min, max int16 }

// request is what both brokers are sent, with placeholders for the identities
// that each of them chose itself.
type request struct {
	kmsg.Request
	// damage changes the encoded frame, its length in front; nil for none.
	damage func(frame []byte) []byte
	// silent is set where a broker answers nothing.
	silent bool
	// member is the placeholder of the member of a group that asks, and client
	// its client id; empty for others. waits is set where the answer may come
	// after those to later requests.
	member, client string
	waits          bool
	// resolves is set where there may be a new regular expression: Kafka answers
	// before it is resolved, and Odradek after. With the next heartbeat of the
	// member, which catches up, they come to the same.
	resolves, catchesUp bool
}

// api is the name of the API, or what is wrong with the request.
func (r request) api() string {
	if r.damage != nil {
		return "Damaged" + kmsg.NameForKey(r.Key())
	}
	return kmsg.NameForKey(r.Key())
}

func (r request) name() string { return fmt.Sprintf("%s v%d", r.api(), r.GetVersion()) }

// step is sent on one connection at once, and then answered in order.
type step struct {
	connection int
	requests   []request
	// group is set in a step of a play; see [play].
	group string
}

// plan is what is asked after the preparation: a pure function of the seed,
// the time in milliseconds, and what is served.
func plan(seed uint64, now int64, served map[int16]versions, count int) []step {
	d := &draw{Rand: rand.New(rand.NewPCG(seed, 0)), now: now, sequences: map[place]int32{}, accepted: map[place][]byte{}}
	keys := slices.Sorted(maps.Keys(served))
	var steps []step
	plays := 0
	for asked := 0; asked < count; {
		if d.chance(45) {
			plays++
			acts := d.play(plays, served)
			asked += len(acts)
			steps = append(steps, acts...)
		}
		one := step{connection: d.IntN(connections)}
		for range pick(d, 1, 1, 1, 1, 1, 1, 4) {
			one.requests = append(one.requests, d.request(keys, served)...)
			if last := one.requests[len(one.requests)-1]; last.damage != nil || changesMetadata[last.Key()] {
				// What follows is to be about what it made, and not to be lost by one of
				// the two because it ended the connection.
				break
			}
		}
		asked += len(one.requests)
		steps = append(steps, one)
	}
	return steps
}

// request draws a key, evenly but for those of records, and a version.
func (d *draw) request(keys []int16, served map[int16]versions) []request {
	key := pick(d, keys...)
	if d.chance(3) {
		key = pick[int16](d, 0, 0, 1)
	}
	version := served[key].min + int16(d.IntN(int(served[key].max-served[key].min)+1))
	if d.chance(25) {
		return []request{d.damaged(key, version, served[key])}
	}
	q := d.generate(key, version)
	if produce, ok := q.(*kmsg.ProduceRequest); ok && produce.Acks == 0 {
		return []request{{Request: q, silent: true}, {Request: versioned(18, 0)}}
	}
	return []request{{Request: q}}
}

// generate makes a request by the generator of its key, or field by field.
func (d *draw) generate(key, version int16) kmsg.Request {
	q := versioned(key, version)
	if own := generators[key]; own != nil {
		own(d, q)
	} else {
		d.fill(q)
	}
	if !takesTwice[key] && !changesMetadata[key] || key == 3 || key == 20 || key == 33 {
		walk(reflect.ValueOf(q).Elem(), func(_ string, field reflect.Value) { distinct(field) })
	}
	return q
}

// distinct takes elements out of a list that are there already. No client
// names a topic or a partition twice, and what comes of it depends on how the
// broker keeps the list; only CreateTopics, CreatePartitions and
// IncrementalAlterConfigs have rules for it.
func distinct(list reflect.Value) {
	if list.Kind() != reflect.Slice || list.Type().Elem().Kind() == reflect.Uint8 {
		return
	}
	seen, kept := map[string]bool{}, 0
	for n := range list.Len() {
		label := fmt.Sprint(list.Index(n).Interface())
		if list.Type().Elem().Kind() == reflect.Struct {
			label = labelOf(list.Index(n), n)
		}
		if !seen[label] {
			list.Index(kept).Set(list.Index(n))
			kept++
		}
		seen[label] = true
	}
	list.SetLen(kept)
}

func versioned(key, version int16) kmsg.Request {
	q := kmsg.RequestForKey(key)
	if defaulted, ok := q.(interface{ Default() }); ok {
		defaulted.Default()
	}
	q.SetVersion(version)
	return q
}
