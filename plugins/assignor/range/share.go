package ranges

import (
	"context"
	"slices"

	"odradek.dev/sdk/assignor"
)

// share is how one topic is divided. Its subscribers are named by their place
// in members.
type share struct {
	plan  *assignor.Plan
	topic int
	// members are the subscribers, in the order in which they are served.
	members []int
	racks   []string
	// replicas has for each partition the racks of its replicas.
	replicas [][]string
	// byRack is whether racks make a difference, anyRack whether some member has
	// one.
	byRack, anyRack bool
	// free has the partitions that nobody got yet.
	free []bool
	got  []int
	// each is what every member gets, and extra how many may still get one
	// more.
	each, extra int
}

func newShare(snapshot assignor.Snapshot, plan *assignor.Plan, topic int, members []int) *share {
	partitions := int(snapshot.Topics[topic].Partitions)
	s := &share{
		plan: plan, topic: topic, members: members, replicas: snapshot.Topics[topic].Racks,
		free: slices.Repeat([]bool{true}, partitions), got: make([]int, len(members)),
		each: partitions / len(members), extra: partitions % len(members),
	}
	for _, member := range members {
		s.racks = append(s.racks, snapshot.Members[member].Rack)
	}
	s.byRack = racksDiffer(s.racks, s.replicas)
	s.anyRack = slices.ContainsFunc(s.racks, func(rack string) bool { return rack != "" })
	return s
}

// racksDiffer reports whether some partition is nearer to some member than
// others are: there is a rack with both, and not every partition has a replica
// in every rack.
func racksDiffer(members []string, replicas [][]string) bool {
	all := make(map[string]bool)
	for _, racks := range replicas {
		for _, rack := range racks {
			all[rack] = true
		}
	}
	shared := slices.ContainsFunc(members, func(rack string) bool { return rack != "" && all[rack] })
	return shared && slices.ContainsFunc(replicas, func(racks []string) bool { return len(racks) < len(all) })
}

// matches reports whether the partition suits the member: its rack has a
// replica, or it has no rack.
func (s *share) matches(at int, partition int32) bool {
	if s.racks[at] == "" {
		return true
	}
	return int(partition) < len(s.replicas) && slices.Contains(s.replicas[partition], s.racks[at])
}

// room is how many partitions the member may still get.
func (s *share) room(at int) int {
	most := s.each
	if s.extra > 0 {
		most++
	}
	return max(0, most-s.got[at])
}

// giveMatching hands each member in turn as many of the free partitions that
// suit it as it has room for.
func (s *share) giveMatching(ctx context.Context) error {
	for at := range s.members {
		if err := ctx.Err(); err != nil {
			return err
		}
		room := s.room(at)
		for partition := range int32(len(s.free)) {
			if room == 0 {
				break
			}
			if s.free[partition] && s.matches(at, partition) {
				s.hand(at, partition)
				room--
			}
		}
	}
	return nil
}

// giveRest hands each member in turn as many of the next free partitions as it
// has room for.
func (s *share) giveRest() {
	next := int32(0)
	for at := range s.members {
		for room := s.room(at); room > 0 && int(next) < len(s.free); next++ {
			if s.free[next] {
				s.hand(at, next)
				room--
			}
		}
	}
}

func (s *share) hand(at int, partition int32) {
	s.plan.Give(s.members[at], s.topic, partition)
	s.free[partition] = false
	s.got[at]++
	if s.got[at] > s.each {
		s.extra--
	}
}
