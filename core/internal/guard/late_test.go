package guard

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote"
)

// sayingLate are the ways in which a module that heeds its deadline says that it
// is past.
func sayingLate() map[string]error {
	ofProcess := *remote.ErrDeadline
	ofProcess.Cause = context.DeadlineExceeded
	return map[string]error{"in this process": context.DeadlineExceeded, "in its own": &ofProcess}
}

// untilLate returns when the deadline of a call is past, which may be before or
// after the call's context has ended by it.
func untilLate(called context.Context) {
	deadline, _ := called.Deadline()
	for time.Now().Before(deadline) {
	}
}

// TestLateIsLateWhoeverSaysSoFirst: a module that heeds its deadline, as one in
// a process of its own does, may answer before its context has ended.
func TestLateIsLateWhoeverSaysSoFirst(t *testing.T) {
	o := options(nil)
	o.PartitionerTimeout = 50 * time.Microsecond
	for name, says := range sayingLate() {
		t.Run(name, func(t *testing.T) {
			heeds := partitionerFunc(func(called context.Context, _ partitioner.Batch) ([]int32, error) {
				untilLate(called)
				return nil, says
			})
			for range 500 {
				p, _ := set(t, module.Partitioner, heeds, o).Partitioner("it")
				_, _, err := p.Assign(t.Context(), batchOf("a"))
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.ErrorContains(t, err, "module did not answer within 50µs")
			}
		})
	}
}

// lateHealth says that it is late as soon as it is.
type lateHealth struct {
	partitionerFunc
	says error
}

func (h lateHealth) Health(called context.Context) error {
	untilLate(called)
	return h.says
}

func TestHealthThatIsLateIsLateWhoeverSaysSoFirst(t *testing.T) {
	for name, says := range sayingLate() {
		t.Run(name, func(t *testing.T) {
			for range 500 {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Microsecond)
				err := set(t, module.Partitioner, lateHealth{says: says}, options(nil)).Health(ctx)
				cancel()
				require.EqualError(t, err, "module partitioner/it did not say in time whether it is healthy")
			}
		})
	}
}
