package group

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
)

// position is where a group is in one partition.
type position struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	// Committed is null where the group committed nothing.
	Committed *int64 `json:"committed"`
	// LogStart and LogEnd are null where the partition has no leader or is no
	// more. The end is the high watermark.
	LogStart *int64 `json:"log_start"`
	LogEnd   *int64 `json:"log_end"`
	// Lag is what lies between the committed offset and the end. It is negative
	// where the log is shorter than what was committed.
	Lag         *int64 `json:"lag"`
	LeaderEpoch int32  `json:"leader_epoch"`
	Metadata    string `json:"metadata,omitempty"`
	// Member is who has the partition now.
	Member *member `json:"-"`
	Owner  string  `json:"member,omitempty"`
}

// bounds are the offsets of partitions of some topics.
type bounds struct{ starts, ends kadm.ListedOffsets }

func boundsOf(ctx context.Context, admin *kadm.Client, topics []string) (b bounds, err error) {
	if len(topics) == 0 {
		return b, nil
	}
	if b.starts, err = admin.ListStartOffsets(ctx, topics...); err != nil {
		return b, fmt.Errorf("asking for log start offsets: %w", err)
	}
	if b.ends, err = admin.ListEndOffsets(ctx, topics...); err != nil {
		return b, fmt.Errorf("asking for log end offsets: %w", err)
	}
	return b, nil
}

// at is null for what is not known.
func at(offsets kadm.ListedOffsets, topic string, partition int32) *int64 {
	if o, ok := offsets.Lookup(topic, partition); ok && o.Err == nil && o.Offset >= 0 {
		return &o.Offset
	}
	return nil
}

// committedOf asks for all that groups have committed.
func committedOf(ctx context.Context, admin *kadm.Client, groups []string) (map[string]kadm.OffsetResponses, error) {
	committed := make(map[string]kadm.OffsetResponses, len(groups))
	if len(groups) == 0 {
		return committed, nil
	}
	for name, response := range admin.FetchManyOffsets(ctx, groups...) {
		if response.Err != nil {
			return nil, fmt.Errorf("asking for the offsets of group %q: %w", name, response.Err)
		}
		for topic, partitions := range response.Fetched {
			for number, o := range partitions {
				if o.Err != nil {
					return nil, fmt.Errorf("asking for the offset of group %q in partition %d of topic %q: %w", name, number, topic, o.Err)
				}
			}
		}
		committed[name] = response.Fetched
	}
	return committed, nil
}

// located is a group and where it is: its positions by topic and partition,
// wherever it committed an offset or a member has the partition.
type located struct {
	described
	Partitions []position `json:"partitions"`
}

// locate asks for groups by name, or for all that there are, and where they are.
func locate(ctx context.Context, admin *kadm.Client, names []string) ([]located, error) {
	groups, err := describe(ctx, admin, names)
	if err != nil {
		return nil, err
	}
	names = nil
	for _, g := range groups {
		names = append(names, g.Group)
	}
	committed, err := committedOf(ctx, admin, names)
	if err != nil {
		return nil, err
	}
	found, topics := []located{}, map[string]bool{}
	for _, g := range groups {
		one := located{g, g.positions(committed[g.Group])}
		for _, p := range one.Partitions {
			topics[p.Topic] = true
		}
		found = append(found, one)
	}
	b, err := boundsOf(ctx, admin, slices.Collect(maps.Keys(topics)))
	if err != nil {
		return nil, err
	}
	for _, g := range found {
		for i := range g.Partitions {
			g.Partitions[i].measure(b)
		}
	}
	return found, nil
}

func (g *described) positions(committed kadm.OffsetResponses) []position {
	type place struct {
		topic     string
		partition int32
	}
	all := map[place]position{}
	for topic, partitions := range committed {
		for number, o := range partitions {
			p := position{Topic: topic, Partition: number, LeaderEpoch: o.LeaderEpoch, Metadata: o.Metadata}
			if o.At >= 0 {
				p.Committed = &o.At
			}
			all[place{topic, number}] = p
		}
	}
	for i := range g.Members {
		m := &g.Members[i]
		for topic, partitions := range m.Assigned {
			for _, number := range partitions {
				p, known := all[place{topic, number}]
				if !known {
					p = position{Topic: topic, Partition: number, LeaderEpoch: -1}
				}
				p.Member, p.Owner = m, m.Member
				all[place{topic, number}] = p
			}
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b position) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
}

func (p *position) measure(b bounds) {
	p.LogStart, p.LogEnd = at(b.starts, p.Topic, p.Partition), at(b.ends, p.Topic, p.Partition)
	if p.Committed != nil && p.LogEnd != nil {
		lag := *p.LogEnd - *p.Committed
		p.Lag = &lag
	}
}
