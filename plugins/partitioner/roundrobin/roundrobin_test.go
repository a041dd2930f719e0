package roundrobin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/partitioner/roundrobin"
	"odradek.dev/sdk/partitioner/partitionertest"
)

func TestTakesTurnsAcrossBatches(t *testing.T) {
	p := roundrobin.New()
	topic := partitionertest.Topic(5, 1, 3, 4)
	require.Equal(t, []int32{1, 3}, partitionertest.Assign(t, p, partitionertest.Batch(topic, []byte("a"), []byte("a"))))
	require.Equal(t, []int32{4, 1, 3}, partitionertest.Assign(t, p, partitionertest.Batch(topic, nil, []byte{}, []byte("a"))))
}

func TestTopicsHaveTheirOwnTurn(t *testing.T) {
	p := roundrobin.New()
	orders, bills := partitionertest.Topic(3), partitionertest.Topic(3)
	bills.Name = "bills"
	require.Equal(t, []int32{0}, partitionertest.Assign(t, p, partitionertest.Keyless(orders, 1)))
	require.Equal(t, []int32{0}, partitionertest.Assign(t, p, partitionertest.Keyless(bills, 1)))
	require.Equal(t, []int32{1}, partitionertest.Assign(t, p, partitionertest.Keyless(orders, 1)))
}
