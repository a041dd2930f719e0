package remote

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"

	"odradek.dev/sdk/module"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

// A module that heeds its deadline answers with an error of its own when the
// deadline is over. The caller hears of the deadline, whoever noticed it first.
func TestAModuleThatGivesUpHasMissedItsDeadline(t *testing.T) {
	answers := func(err error) func(context.Context, *modulev1.PartitionRequest, ...grpc.CallOption) (*modulev1.PartitionResponse, error) {
		return func(context.Context, *modulev1.PartitionRequest, ...grpc.CallOption) (*modulev1.PartitionResponse, error) {
			return &modulev1.PartitionResponse{Error: toWire(err)}, nil
		}
	}
	over, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	_, err := unary(over, answers(context.DeadlineExceeded), &modulev1.PartitionRequest{})
	require.ErrorIs(t, err, ErrDeadline)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, module.Retriable, module.ClassOf(err))

	_, err = unary(t.Context(), answers(module.Invalidf("no table")), &modulev1.PartitionRequest{})
	require.EqualError(t, err, "no table")
	_, err = unary(over, answers(nil), &modulev1.PartitionRequest{})
	require.NoError(t, err, "an answer that is there is taken")
}
