package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// repeated is a request of n elements, each as small as one can be.
func repeated(key, version int16, n int) kmsg.Request {
	q := sample(key, version)
	switch q := q.(type) {
	case *kmsg.ProduceRequest:
		q.Topics[0].Topic = "a"
		q.Topics = times(q.Topics[0], n)
	case *kmsg.FetchRequest:
		q.Topics[0].Topic = "a"
		q.Topics = times(q.Topics[0], n)
	case *kmsg.ListOffsetsRequest:
		q.Topics[0].Topic = "a"
		q.Topics = times(q.Topics[0], n)
	case *kmsg.MetadataRequest:
		q.Topics[0].Topic = kmsg.StringPtr("a")
		q.Topics = times(q.Topics[0], n)
	case *kmsg.CreateTopicsRequest:
		q.Topics[0].Topic, q.Topics[0].Configs, q.Topics[0].ReplicaAssignment = "a", nil, nil
		q.Topics = times(q.Topics[0], n)
	case *kmsg.DeleteTopicsRequest:
		q.Topics[0].Topic = kmsg.StringPtr("a")
		q.TopicNames, q.Topics = times("a", n), times(q.Topics[0], n)
	case *kmsg.DescribeConfigsRequest:
		q.Resources[0].ResourceName, q.Resources[0].ConfigNames = "a", nil
		q.Resources = times(q.Resources[0], n)
	case *kmsg.CreatePartitionsRequest:
		q.Topics[0].Topic, q.Topics[0].Assignment = "a", nil
		q.Topics = times(q.Topics[0], n)
	}
	return q
}

func times[T any](one T, n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = one
	}
	return all
}

// A request may name as many topics and partitions as one broker has.
func TestManySmallElementsAreNoFlood(t *testing.T) {
	table := newTable()
	for _, a := range table.rows {
		for version := a.min; version <= a.max; version++ {
			whole := frame(repeated(a.key, version, 20_000), 1)[4:]
			require.NoError(t, parseAll(table, whole), "%s version %d", a.name, version)
		}
	}
	for version := int16(4); version <= 18; version++ {
		q := sample(1, version).(*kmsg.FetchRequest)
		q.Topics[0].Partitions = times(q.Topics[0].Partitions[0], 100_000)
		require.NoError(t, parseAll(table, frame(q, 1)[4:]), "Fetch version %d", version)
	}
}
