package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/kafka/shape"
)

// api is one API key: what is advertised of it, and who serves it.
type api struct {
	key  int16
	name string
	// min and max are the versions that are served.
	min, max int16
	// advertisedMin is what ApiVersions says; it is below min for Produce
	// alone, since librdkafka takes a higher one for a broker without it
	// (KAFKA-18659).
	advertisedMin int16
	// flexibleFrom is the first version with compact lengths and tagged fields.
	flexibleFrom int16
	handle       handler
	// shape is checked before handle is called; nil if handle decodes by hand.
	shape *shape.Shape
}

func (a *api) flexible(version int16) bool { return version >= a.flexibleFrom }

func (a *api) serves(version int16) bool { return version >= a.min && version <= a.max }

// handler executes one request. It answers before it returns, or takes a place
// in the connection's queue and answers later. An error closes the connection.
type handler func(c *connection, r *request) error

// table is every API that is served. ApiVersions is derived from it.
type table struct {
	// rows are by key, ascending.
	rows  []*api
	byKey [128]*api
}

func newTable() *table {
	t := &table{}
	t.rows = []*api{
		{key: 0, name: "Produce", min: 3, max: 13, flexibleFrom: 9, handle: produce},
		{key: 1, name: "Fetch", min: 4, max: 18, advertisedMin: 4, flexibleFrom: 12, handle: fetch},
		row(2, "ListOffsets", 1, 11, 6, decoded(listOffsets)),
		row(3, "Metadata", 0, 13, 9, decoded(topicMetadata)),
		row(10, "FindCoordinator", 0, 6, 3, decoded(new(coordinatorFinder).serve)),
		row(18, "ApiVersions", 0, 5, 3, func(c *connection, r *request) error { return apiVersions(t, c, r) }),
		row(19, "CreateTopics", 2, 7, 5, decoded(createTopics)),
		row(20, "DeleteTopics", 1, 6, 4, decoded(deleteTopics)),
		row(22, "InitProducerId", 0, 5, 2, decoded(initProducerID)),
		row(23, "OffsetForLeaderEpoch", 2, 4, 4, decoded(offsetForLeaderEpoch)),
		row(32, "DescribeConfigs", 1, 4, 4, decoded(describeConfigs)),
		row(33, "AlterConfigs", 0, 2, 2, decoded(alterConfigs)),
		row(35, "DescribeLogDirs", 1, 5, 2, decoded(describeLogDirs)),
		row(37, "CreatePartitions", 0, 3, 2, decoded(createPartitions)),
		row(43, "ElectLeaders", 0, 2, 2, decoded(electLeaders)),
		row(44, "IncrementalAlterConfigs", 0, 1, 1, decoded(incrementalAlterConfigs)),
		row(46, "ListPartitionReassignments", 0, 0, 0, decoded(listPartitionReassignments)),
		row(55, "DescribeQuorum", 0, 2, 0, decoded(describeQuorum)),
		row(57, "UpdateFeatures", 0, 2, 0, decoded(updateFeatures)),
		row(60, "DescribeCluster", 0, 2, 0, decoded(describeCluster)),
		row(61, "DescribeProducers", 0, 0, 0, decoded(describeProducers)),
		row(64, "UnregisterBroker", 0, 0, 0, decoded(unregisterBroker)),
		row(74, "ListConfigResources", 0, 1, 0, decoded(listConfigResources)),
		row(75, "DescribeTopicPartitions", 0, 0, 0, decoded(describeTopicPartitions)),
	}
	for _, a := range t.rows {
		t.byKey[a.key] = a
	}
	return t
}

func (t *table) find(key int16) *api {
	if key < 0 || int(key) >= len(t.byKey) {
		return nil
	}
	return t.byKey[key]
}

// row is an API whose requests kmsg decodes.
func row(key int16, name string, minVersion, maxVersion, flexibleFrom int16, h handler) *api {
	return &api{
		key: key, name: name, min: minVersion, max: maxVersion, advertisedMin: minVersion,
		flexibleFrom: flexibleFrom, handle: h, shape: shapeOf(key, flexibleFrom),
	}
}

// decoded makes a handler of a function from a kmsg request to its response.
func decoded[T any, Q interface {
	*T
	kmsg.Request
}, R kmsg.Response](serve func(context.Context, *Backend, *Caller, Q) R) handler {
	return func(c *connection, r *request) error {
		q := Q(new(T))
		q.SetVersion(r.version)
		if err := q.ReadFrom(r.body); err != nil {
			return malformed(r, err)
		}
		response := serve(c.server.context, c.server.backend, c.callerOf(r), q)
		response.SetVersion(r.version)
		out := c.begin(r)
		out.buf = response.AppendTo(out.buf)
		return c.answered(r, out)
	}
}
