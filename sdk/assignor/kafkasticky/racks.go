package kafkasticky

import (
	"cmp"
	"slices"

	"odradek.dev/sdk/assignor"
)

// racks is where members and replicas are.
type racks struct {
	snapshot assignor.Snapshot
	// members is how many members are in each rack.
	members map[string]int
	// aware is whether racks make a difference: there is a rack with members and
	// replicas, and not every partition is in every rack.
	aware bool
}

func newRacks(snapshot assignor.Snapshot) racks {
	r := racks{snapshot: snapshot, members: make(map[string]int)}
	for _, member := range snapshot.Members {
		if member.Rack != "" {
			r.members[member.Rack]++
		}
	}
	all, shared := make(map[string]bool), false
	for _, topic := range snapshot.Topics {
		for _, replicas := range topic.Racks {
			for _, rack := range replicas {
				all[rack] = true
				shared = shared || r.members[rack] > 0
			}
		}
	}
	r.aware = shared && slices.ContainsFunc(snapshot.Topics, func(topic assignor.Topic) bool {
		return len(topic.Racks) < int(topic.Partitions) ||
			slices.ContainsFunc(topic.Racks, func(replicas []string) bool { return len(replicas) < len(all) })
	})
	return r
}

func (r *racks) of(at place) []string {
	if known := r.snapshot.Topics[at.topic].Racks; at.partition < len(known) {
		return known[at.partition]
	}
	return nil
}

// mismatch reports whether the member has a rack and the partition no replica
// there.
func (r *racks) mismatch(member int, at place) bool {
	rack := r.snapshot.Members[member].Rack
	return r.aware && rack != "" && !slices.Contains(r.of(at), rack)
}

// match reports whether the member has a rack and the partition a replica there.
func (r *racks) match(member int, at place) bool {
	rack := r.snapshot.Members[member].Rack
	return r.aware && rack != "" && slices.Contains(r.of(at), rack)
}

// hardestFirst sorts partitions with few members in their racks to the front,
// even where racks make no difference otherwise.
func (r *racks) hardestFirst(places []place) {
	if len(r.members) == 0 {
		return
	}
	near := func(at place) int {
		count := 0
		for _, rack := range r.of(at) {
			count += r.members[rack]
		}
		return count
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(near(a), near(b)) })
}
