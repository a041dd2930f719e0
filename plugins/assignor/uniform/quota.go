package uniform

import (
	"context"

	"odradek.dev/sdk/assignor"
)

// place is a partition of a topic, the topic by index.
type place struct {
	topic     int
	partition int32
}

// quotas deals out how many partitions each member may have. It is asked once
// for each member, in their order.
type quotas struct {
	each int
	// extra is how many of the members to come get one more than each, and left
	// how many members are to come.
	extra, left int
}

// next is the quota of a member that had so many partitions. One that does not
// use up a larger quota is given it only if no later member is left for it.
func (q *quotas) next(had int) int {
	quota := q.each
	if q.extra > 0 && (had > q.each || q.left <= q.extra) {
		quota++
		q.extra--
	}
	q.left--
	return quota
}

// assignByQuota is for members of equal subscriptions.
func assignByQuota(ctx context.Context, snapshot assignor.Snapshot, plan *assignor.Plan) error {
	had, free := held(snapshot)
	all, members := len(free), len(snapshot.Members)
	for _, places := range had {
		all += len(places)
	}
	quotas := quotas{each: all / members, extra: all % members, left: members}
	lacks := make([]int, members)
	for member, places := range had {
		quota := quotas.next(len(places))
		kept := min(quota, len(places))
		give(plan, member, places[:kept])
		free = append(free, places[kept:]...)
		lacks[member] = quota - kept
	}
	for member, lack := range lacks {
		if err := ctx.Err(); err != nil {
			return err
		}
		give(plan, member, free[:lack])
		free = free[lack:]
	}
	return nil
}

// held is what each member had, and what nobody had, of the topics that all
// subscribe to.
func held(snapshot assignor.Snapshot) (had [][]place, free []place) {
	had = make([][]place, len(snapshot.Members))
	if len(snapshot.Members[0].Topics) == 0 {
		return had, nil
	}
	for i, m := range snapshot.Members {
		claimed := 0
		for _, owned := range m.Owned {
			claimed += len(owned.Partitions)
		}
		had[i] = make([]place, 0, claimed)
	}
	for topic, owners := range snapshot.Owners() {
		for partition, owner := range owners {
			at := place{topic, int32(partition)}
			if owner == assignor.Nobody {
				free = append(free, at)
			} else {
				had[owner] = append(had[owner], at)
			}
		}
	}
	return had, free
}

func give(plan *assignor.Plan, member int, places []place) {
	for _, at := range places {
		plan.Give(member, at.topic, at.partition)
	}
}
