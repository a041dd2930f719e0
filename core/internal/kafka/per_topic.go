package kafka

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// Requests of administration name topics and are answered topic by topic.

// onceEach splits what was asked for: elements whose topic is named once, and
// the topics that are named more often, each of which is refused once.
func onceEach[T any](asked []T, topic func(*T) metadata.TopicRef) (unique []*T, refused []metadata.TopicResult) {
	count := make(map[metadata.TopicRef]int, len(asked))
	for n := range asked {
		count[topic(&asked[n])]++
	}
	for n := range asked {
		switch ref := topic(&asked[n]); {
		case count[ref] == 1:
			unique = append(unique, &asked[n])
		case count[ref] > 1:
			refused = append(refused, metadata.Refused(ref.Name, ref.ID, namedTwice(ref)))
			count[ref] = 0
		}
	}
	return unique, refused
}

func namedTwice(topic metadata.TopicRef) *refusal.Refusal {
	if topic.ID != (metadata.TopicID{}) {
		return refusal.New(kerr.InvalidRequest, "the request names topic id %s more than once", topic.ID)
	}
	return refusal.New(kerr.InvalidRequest, "the request names topic %q more than once", topic.Name)
}

// shortestTimeout is given to clients that allow less: the change is made
// anyhow, and without an answer they would not know of it.
const shortestTimeout = time.Second

// withinTimeout bounds a request by the time that its client allows.
func withinTimeout(ctx context.Context, millis int32) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, max(time.Duration(millis)*time.Millisecond, shortestTimeout))
}
