package brokerproc

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// AwaitAnswer returns when whatever broker is at addr answers a request, or
// after a minute.
func AwaitAnswer(ctx context.Context, addr string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr))
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		attempt, stop := context.WithTimeout(ctx, time.Second)
		err := client.Ping(attempt)
		stop()
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}
