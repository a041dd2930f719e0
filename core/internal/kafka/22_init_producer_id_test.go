package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/module"
)

func initAt(t *testing.T, b *Backend, version int16, change func(*kmsg.InitProducerIDRequest)) *kmsg.InitProducerIDResponse {
	t.Helper()
	req := kmsg.NewPtrInitProducerIDRequest()
	req.Version = version
	change(req)
	return overTheWire(t, version, initProducerID(t.Context(), b, plaintext(), req), kmsg.NewPtrInitProducerIDResponse())
}

func TestInitProducerIDAnswersANewIDEachTime(t *testing.T) {
	b, _ := planned(t)
	last := int64(-1)
	for version := int16(0); version <= 5; version++ {
		resp := initAt(t, b, version, func(*kmsg.InitProducerIDRequest) {})
		require.Zero(t, resp.ErrorCode)
		require.Greater(t, resp.ProducerID, last)
		require.Zero(t, resp.ProducerEpoch)
		last = resp.ProducerID
	}
	resumed := initAt(t, b, 3, func(q *kmsg.InitProducerIDRequest) { q.ProducerID, q.ProducerEpoch = 1, 4 })
	require.Zero(t, resumed.ErrorCode)
	require.Greater(t, resumed.ProducerID, last)
}

func TestInitProducerIDRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*kmsg.InitProducerIDRequest)
		ids    error
		want   *kerr.Error
	}{
		"a transaction":          {func(q *kmsg.InitProducerIDRequest) { q.TransactionalID = kmsg.StringPtr("t") }, nil, kerr.UnsupportedVersion},
		"an empty transaction":   {func(q *kmsg.InitProducerIDRequest) { q.TransactionalID = kmsg.StringPtr("") }, nil, kerr.InvalidRequest},
		"an id without an epoch": {func(q *kmsg.InitProducerIDRequest) { q.ProducerID = 1 }, nil, kerr.InvalidRequest},
		"an epoch without an id": {func(q *kmsg.InitProducerIDRequest) { q.ProducerEpoch = 1 }, nil, kerr.InvalidRequest},
		"no controller":          {func(*kmsg.InitProducerIDRequest) {}, module.Retriablef("no controller"), kerr.CoordinatorLoadInProgress},
		"a broken log":           {func(*kmsg.InitProducerIDRequest) {}, errBroken, kerr.UnknownServerError},
	} {
		t.Run(name, func(t *testing.T) {
			b, p := planned(t)
			p.IDsFail = c.ids
			resp := initAt(t, b, 5, c.change)
			require.Equal(t, c.want.Code, resp.ErrorCode)
			require.EqualValues(t, -1, resp.ProducerID)
			require.EqualValues(t, -1, resp.ProducerEpoch)
		})
	}
}
