package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
)

// changeConfigsMs is for requests whose clients cannot say how long they wait.
const changeConfigsMs = 30_000

// changeConfigs makes each of the changes, or says why not, in order. A
// resource that is named more than once is refused each time.
func changeConfigs(ctx context.Context, b *Backend, changes []metadata.ConfigChange, validateOnly bool) []*metadata.Failure {
	ctx, cancel := withinTimeout(ctx, changeConfigsMs)
	defer cancel()

	count := make(map[metadata.Resource]int, len(changes))
	for _, change := range changes {
		count[change.Resource]++
	}
	failures := make([]*metadata.Failure, len(changes))
	var planned []metadata.ConfigChange
	var places []int
	for n, change := range changes {
		r := change.Resource
		switch {
		case count[r] > 1:
			failures[n] = metadata.Failf(kerr.InvalidRequest, "the request names resource %q of type %d more than once", r.Name, r.Type)
		case r.Type == loggerResource:
			failures[n] = changeLoggers(b, change, validateOnly)
		default:
			if failures[n] = checkResource(b.Config, r); failures[n] == nil {
				planned, places = append(planned, change), append(places, n)
			}
		}
	}
	if len(planned) == 0 {
		return failures
	}
	for n, failure := range b.Controller.AlterConfigs(ctx, planned, validateOnly) {
		failures[places[n]] = failure
	}
	return failures
}
