package isr

import (
	"context"
	"slices"

	"odradek.dev/sdk/replication"
)

// Elect takes dead nodes out of the in-sync replicas and, if the leader is
// one of them, gives the lead to the first replica that is in sync and alive.
//
// When none is, there is no leader and the in-sync replicas stay what they
// were: only they have every acknowledged record, so only one of them may lead
// again.
func (s *Strategy) Elect(_ context.Context, record replication.Record, live replication.Liveness) (replication.Record, error) {
	if err := checkRecord(record); err != nil {
		return record, err
	}
	eligible := slices.DeleteFunc(slices.Clone(record.Replicas), func(id int32) bool {
		return !slices.Contains(record.InSync, id) || !slices.Contains(live.Nodes, id)
	})
	next := clone(record)
	if len(eligible) == 0 {
		next.Leader = -1
	} else {
		next.InSync = eligible
		if !slices.Contains(eligible, record.Leader) {
			next.Leader = eligible[0]
		}
	}
	if next.Leader == record.Leader && len(next.InSync) == len(record.InSync) {
		return record, nil
	}
	if next.Leader != record.Leader {
		next.LeaderEpoch++
	}
	next.Version++
	return next, nil
}
