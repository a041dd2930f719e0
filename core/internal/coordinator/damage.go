package coordinator

import (
	"fmt"
	"slices"
	"strings"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/partition"
)

// damagedError is about a log of which a part is damaged that nobody has given up.
// It could be passed over as one record can: but what was in it is not known, not
// even of which groups, and those whose only commit it was would begin at either
// end of their topics. So that is somebody's to say who knows that there is no copy.
type damagedError struct{ damaged []damage }

type damage struct {
	config.Offsets
	err error
}

func (e *damagedError) Error() string {
	var all []string
	for _, d := range e.damaged[:min(len(e.damaged), mostFaults)] {
		all = append(all, d.err.Error())
	}
	if more := len(e.damaged) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, "; ")
}

// lost is what offsets.topic.lost has to have besides for the groups to be read:
// each part, or one range that has them all. What is intact within counts.
func (e *damagedError) lost() string {
	first, last := e.damaged[0], e.damaged[len(e.damaged)-1]
	if len(e.damaged) > mostFaults {
		return config.Offsets{Partition: first.Partition, First: first.First, Last: last.Last}.String()
	}
	var all []string
	for _, d := range e.damaged {
		all = append(all, d.String())
	}
	return strings.Join(all, ",")
}

// damaged takes note of a part of the log that is damaged. The rest is read in any
// case, so that all of them are told of at once.
func (o *outcome) damaged(number int32, found partition.Damage, givenUp []config.Offsets) {
	d := damage{config.Offsets{Partition: number, First: found.First, Last: found.Last}, found.Err}
	if slices.ContainsFunc(givenUp, func(lost config.Offsets) bool { return lost.Holds(d.Offsets) }) {
		o.passed.lost = append(o.passed.lost, d)
	} else {
		o.unclaimed = append(o.unclaimed, d)
	}
}
