package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// changeConfigsMs is for requests whose clients cannot say how long they wait.
const changeConfigsMs = 30_000

// changeConfigs makes each of the changes, or says why not, in order. A
// resource that is named more than once is refused each time.
func changeConfigs(ctx context.Context, b *Backend, changes []metadata.ConfigChange, validateOnly bool) []*refusal.Refusal {
	ctx, cancel := withinTimeout(ctx, changeConfigsMs)
	defer cancel()

	count := make(map[metadata.Resource]int, len(changes))
	for _, change := range changes {
		count[change.Resource]++
	}
	refusals := make([]*refusal.Refusal, len(changes))
	var planned []metadata.ConfigChange
	var places []int
	for n, change := range changes {
		r := change.Resource
		switch {
		case count[r] > 1:
			refusals[n] = refusal.New(kerr.InvalidRequest, "the request names resource %q of type %d more than once", r.Name, r.Type)
		case r.Type == loggerResource:
			refusals[n] = changeLoggers(b, change, validateOnly)
		default:
			if refusals[n] = checkResource(b.Config, r); refusals[n] == nil {
				planned, places = append(planned, change), append(places, n)
			}
		}
	}
	if len(planned) == 0 {
		return refusals
	}
	for n, refused := range b.Controller.AlterConfigs(ctx, planned, validateOnly) {
		refusals[places[n]] = refused
	}
	return refusals
}
