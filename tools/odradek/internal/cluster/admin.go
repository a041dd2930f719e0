package cluster

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// AdminFlags are those of every command that asks about topics or groups and
// ends with the answer.
type AdminFlags struct {
	Flags
	timeout time.Duration
}

// patience is enough for a coordinator that reads its groups after a start.
const patience = 30 * time.Second

// Bind adds the flags to a command whose RunE is set, and ends its context when
// the time is up: a client asks again as long as it is told to come later.
func (f *AdminFlags) Bind(cmd *cobra.Command) {
	f.Flags.Bind(cmd)
	cmd.Flags().DurationVar(&f.timeout, "timeout", patience, "how long to wait for the brokers")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.timeout <= 0 {
			return fmt.Errorf("--timeout %v must be more than 0", f.timeout)
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), f.timeout)
		defer cancel()
		cmd.SetContext(ctx)
		err := run(cmd, args)
		if err != nil && ctx.Err() == context.DeadlineExceeded {
			return fmt.Errorf("not done within %v, which --timeout sets: %w", f.timeout, err)
		}
		return err
	}
}

// Admin is [Flags.Connect] for requests about topics and groups. ListGroups is
// sent once, since the client would forget what it was told when the time is up
// while it asks again; all others are until then.
func (f *AdminFlags) Admin(ctx context.Context) (*kadm.Client, error) {
	client, err := f.Connect(ctx, kgo.RetryTimeoutFn(func(key int16) time.Duration {
		if key == int16(kmsg.ListGroups) {
			return time.Nanosecond
		}
		return 0 // no other end
	}))
	if err != nil {
		return nil, err
	}
	return kadm.NewClient(client), nil
}
