package kafka

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
)

// Requests of administration name topics and are answered topic by topic.

// onceEach splits what was asked for: elements whose name occurs once, and the
// names that occur more often, each of which is answered once and refused.
func onceEach[T any](asked []T, name func(*T) string) (unique []*T, repeated []string) {
	count := make(map[string]int, len(asked))
	for n := range asked {
		count[name(&asked[n])]++
	}
	for n := range asked {
		switch key := name(&asked[n]); {
		case count[key] == 1:
			unique = append(unique, &asked[n])
		case count[key] > 1:
			repeated = append(repeated, key)
			count[key] = 0
		}
	}
	return unique, repeated
}

func namedTwice(topic string) *metadata.Failure {
	return metadata.Failf(kerr.InvalidRequest, "the request names topic %q more than once", topic)
}

// shortestTimeout is given to clients that allow less: the change is made
// anyhow, and without an answer they would not know of it.
const shortestTimeout = time.Second

// withinTimeout bounds a request by the time that its client allows.
func withinTimeout(ctx context.Context, millis int32) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, max(time.Duration(millis)*time.Millisecond, shortestTimeout))
}

// outcome is the code and the message of a result; the message is null when
// there was no failure.
func outcome(f *metadata.Failure) (code int16, message *string) {
	if f == nil {
		return 0, nil
	}
	return f.Code, &f.Message
}
