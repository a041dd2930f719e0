package group

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/partitionlist"
)

// selected is some partitions of a topic; none for all of them.
type selected struct {
	topic      string
	partitions []int32
}

// parseSelection reads TOPIC or TOPIC:0,2-5.
func parseSelection(texts []string) ([]selected, error) {
	var all []selected
	for _, text := range texts {
		topic, list, some := strings.Cut(text, ":")
		s := selected{topic: topic}
		var err error
		if some {
			s.partitions, err = partitionlist.Parse(list)
		}
		if err != nil || topic == "" {
			return nil, fmt.Errorf("--topic %q is not TOPIC or TOPIC:PARTITIONS, as in orders:0,2-5", text)
		}
		if slices.ContainsFunc(all, func(other selected) bool { return other.topic == topic }) {
			return nil, fmt.Errorf("--topic %s stands twice; name its partitions together, as in %s:0,2-5", topic, topic)
		}
		all = append(all, s)
	}
	return all, nil
}

// resolve names the partitions that a selection of topics that exist means.
func resolve(ctx context.Context, admin *kadm.Client, selection []selected) ([]selected, error) {
	var resolved []selected
	for _, s := range selection {
		existing, err := cluster.Partitions(ctx, admin, s.topic)
		if err != nil {
			return nil, err
		}
		for _, partition := range s.partitions {
			if !slices.Contains(existing, partition) {
				return nil, fmt.Errorf("topic %q has no partition %d; it has 0 to %d", s.topic, partition, len(existing)-1)
			}
		}
		if s.partitions == nil {
			s.partitions = existing
		}
		resolved = append(resolved, s)
	}
	return resolved, nil
}
