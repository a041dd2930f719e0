package guard

import (
	"context"
	"slices"
	"strings"

	"odradek.dev/sdk/deadline"
	"odradek.dev/sdk/module"
)

// Health asks every module that can be asked, side by side, and joins what is
// wrong with the unhealthy ones. One that has not answered when ctx ends is
// unhealthy.
func (s *Set) Health(ctx context.Context) error {
	type answer struct {
		id  string
		err error
	}
	answers := make(chan answer, len(s.entries))
	silent := map[string]bool{}
	for _, e := range s.entries {
		silent[e.Descriptor.ID()] = true
		go func() {
			err := recovered(func() error { return module.Health(ctx, e.Instance) })
			if module.Stack(err) != nil {
				e.meter.report("module panicked when it was asked for its health", err)
			}
			answers <- answer{e.Descriptor.ID(), err}
		}()
	}
	var unhealthy []string
	for len(silent) > 0 {
		a, came := deadline.Await(ctx, answers)
		if !came {
			break
		}
		// One that heeds its deadline, and says so, has not answered in time.
		if isLate(ctx, a.err) {
			continue
		}
		delete(silent, a.id)
		if a.err != nil {
			unhealthy = append(unhealthy, "module "+a.id+" is not healthy: "+a.err.Error())
		}
	}
	for id := range silent {
		unhealthy = append(unhealthy, "module "+id+" did not say in time whether it is healthy")
	}
	if len(unhealthy) == 0 {
		return nil
	}
	slices.Sort(unhealthy)
	return module.Retriablef("%s", strings.Join(unhealthy, "; "))
}
