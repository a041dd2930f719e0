package group

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
)

// resetPlan is what is asked for.
type resetPlan struct {
	names  []string
	target target
	// selection is of topics; empty for all that a group has offsets for.
	selection []selected
	// file is not empty if it says where the offsets go.
	file []fileEntry
}

// step is where a group's offsets go in some partitions.
type step struct {
	group  string
	target target
	places []place
}

// moves asks the broker where the partitions begin and end, and what is
// committed, and says what is to be done.
func (p *resetPlan) moves(ctx context.Context, admin *kadm.Client, groups []described) ([]move, error) {
	var names []string
	for _, g := range groups {
		names = append(names, g.Group)
	}
	committed, err := committedOf(ctx, admin, names)
	if err != nil {
		return nil, err
	}
	selection, err := resolve(ctx, admin, p.selection)
	if err != nil {
		return nil, err
	}
	var steps []step
	for _, name := range names {
		if p.file == nil {
			steps = append(steps, p.step(name, selection, committed[name]))
		} else {
			steps = append(steps, p.fileSteps(name, committed[name])...)
		}
	}
	if err := p.measure(ctx, admin, steps); err != nil {
		return nil, err
	}
	return carriedOut(steps)
}

func carriedOut(steps []step) ([]move, error) {
	moves := []move{}
	for _, s := range steps {
		for _, place := range s.places {
			m, err := s.target.move(s.group, place)
			if err != nil {
				return nil, err
			}
			moves = append(moves, m)
		}
	}
	slices.SortFunc(moves, func(a, b move) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	for i := 1; i < len(moves); i++ {
		if a, b := moves[i-1], moves[i]; a.Group == b.Group && a.Topic == b.Topic && a.Partition == b.Partition {
			return nil, fmt.Errorf("partition %d of topic %q stands twice for group %q", b.Partition, b.Topic, b.Group)
		}
	}
	return moves, nil
}

func (p *resetPlan) step(group string, selection []selected, committed kadm.OffsetResponses) step {
	s := step{group: group, target: p.target}
	for _, of := range selection {
		for _, number := range of.partitions {
			s.places = append(s.places, placeOf(of.topic, number, committed))
		}
	}
	if len(p.selection) > 0 {
		return s
	}
	for topic, partitions := range committed {
		for number := range partitions {
			s.places = append(s.places, placeOf(topic, number, committed))
		}
	}
	return s
}

// fileSteps are one for each offset of the file that is for the group.
func (p *resetPlan) fileSteps(group string, committed kadm.OffsetResponses) []step {
	var steps []step
	for _, e := range p.file {
		if e.group == "" || e.group == group {
			steps = append(steps, step{
				group: group, target: target{kind: toOffset, offset: e.offset},
				places: []place{placeOf(e.topic, e.partition, committed)},
			})
		}
	}
	return steps
}

func placeOf(topic string, partition int32, committed kadm.OffsetResponses) place {
	p := place{topic: topic, partition: partition}
	if o, ok := committed.Lookup(topic, partition); ok && o.At >= 0 {
		p.committed = &o.At
	}
	return p
}

// measure fills in what the broker knows of the partitions.
func (p *resetPlan) measure(ctx context.Context, admin *kadm.Client, steps []step) error {
	topics := map[string]bool{}
	for _, s := range steps {
		for _, place := range s.places {
			topics[place.topic] = true
		}
	}
	names := slices.Sorted(maps.Keys(topics))
	b, err := boundsOf(ctx, admin, names)
	if err != nil {
		return err
	}
	var since kadm.ListedOffsets
	if p.target.kind == toTime && len(names) > 0 {
		if since, err = admin.ListOffsetsAfterMilli(ctx, p.target.unixMs, names...); err != nil {
			return fmt.Errorf("asking for the offsets of a time: %w", err)
		}
	}
	for _, s := range steps {
		for i := range s.places {
			one := &s.places[i]
			one.start, one.end = at(b.starts, one.topic, one.partition), at(b.ends, one.topic, one.partition)
			one.since = at(since, one.topic, one.partition)
		}
	}
	return nil
}
