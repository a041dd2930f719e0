package differential

import "github.com/twmb/franz-go/pkg/kmsg"

// topicConfigs are set on volatile topics, to values that leave records as they
// are: a new value may act a moment after it is seen.
var topicConfigs = []string{"retention.ms", "segment.bytes", "cleanup.policy", "compression.type", "max.message.bytes", "unclean.leader.election.enable", "min.cleanable.dirty.ratio", "index.interval.bytes", "segment.ms", "flush.ms", "file.delete.delay.ms", "follower.replication.throttled.replicas", "remote.storage.enable", "local.retention.ms", "no.such.config", ""}

// brokerConfigs can be changed while the broker runs, but for the last ones.
// Kafka stores a name that nobody knows.
var brokerConfigs = []string{"log.retention.ms", "log.segment.bytes", "log.index.interval.bytes", "log.cleaner.threads", "no.such.config", "log.dirs", "num.partitions"}

var configValues = map[string][]string{
	"retention.ms":                            {"604800000", "-1", "-2", "soon", "86400001", ""},
	"segment.bytes":                           {"1073741824", "1048576", "12", "1e9", "99999999999"},
	"cleanup.policy":                          {"delete", "shred", "Delete", ""},
	"compression.type":                        {"producer", "uncompressed", "brotli"},
	"max.message.bytes":                       {"1048588", "2000000", "-1", " 1048588 "},
	"unclean.leader.election.enable":          {"true", "false", "TRUE", "yes"},
	"min.cleanable.dirty.ratio":               {"0.5", "0", "1", "1.1", "half"},
	"index.interval.bytes":                    {"4096", "0", "-1"},
	"follower.replication.throttled.replicas": {"*", "0:1", "0:1,1:1", "x", ""},
	"segment.ms":                              {"604800000", "0", "-1"},
	"flush.ms":                                {"9223372036854775807", "0", "-1"},
	"file.delete.delay.ms":                    {"60000", " 7 ", "+7", "-1"},
	"remote.storage.enable":                   {"false", "FALSE", "true"},
	"local.retention.ms":                      {"-2", "5", "-3"},
	"log.retention.ms":                        {"604800000", "-1", "-2", "0", "soon"},
	"log.segment.bytes":                       {"1073741824", "1048576", "12"},
	"log.index.interval.bytes":                {"4096", "0", "-1"},
	"log.cleaner.threads":                     {"1", "2", "many"},
}

func (d *draw) configValue(name string) *string {
	if d.chance(15) {
		return nil
	}
	if values := configValues[name]; values != nil {
		return kmsg.StringPtr(pick(d, values...))
	}
	return kmsg.StringPtr(pick(d, "1", "x", ""))
}

// resource draws the type and the name of what has configs, and the names of
// some of them.
func (d *draw) resource(topic func() string) (kmsg.ConfigResourceType, string, []string) {
	names := topicConfigs
	kind := pick[kmsg.ConfigResourceType](d, 2, 2, 2, 2, 4, 4, 4, 0)
	var name string
	switch kind {
	case kmsg.ConfigResourceTypeTopic:
		name = topic()
	case kmsg.ConfigResourceTypeBroker:
		name = pick(d, "1", "1", "", "7", "one", "-1")
		names = brokerConfigs
	default:
		name = pick(d, "", "1", "v0")
	}
	var some []string
	for range pick(d, 0, 1, 1, 1, 2, 3) {
		some = append(some, pick(d, names...))
	}
	return kind, name, some
}

func (d *draw) describeConfigs(q kmsg.Request) {
	c := q.(*kmsg.DescribeConfigsRequest)
	c.IncludeSynonyms = d.chance(2)
	for range pick(d, 0, 1, 1, 1, 2, 3) {
		r := kmsg.NewDescribeConfigsRequestResource()
		r.ResourceType, r.ResourceName, r.ConfigNames = d.resource(d.topic)
		// Those of a broker are compared as kafka-configs shows them.
		if r.ResourceType != kmsg.ConfigResourceTypeBroker && d.chance(4) {
			r.ConfigNames = nil
		} else if len(r.ConfigNames) == 0 {
			r.ConfigNames = []string{"no.such.config"}
		}
		c.Resources = append(c.Resources, r)
	}
}

func (d *draw) alterConfigs(q kmsg.Request) {
	c := q.(*kmsg.AlterConfigsRequest)
	c.ValidateOnly = d.chance(3)
	for range pick(d, 0, 1, 1, 1, 2) {
		r := kmsg.NewAlterConfigsRequestResource()
		var names []string
		r.ResourceType, r.ResourceName, names = d.resource(d.changing)
		if r.ResourceType == kmsg.ConfigResourceTypeBroker && r.ResourceName == "" {
			// Kafka sets min.insync.replicas for the cluster, and does not let it be
			// unset, as a list without it would.
			continue
		}
		for _, name := range names {
			r.Configs = append(r.Configs, kmsg.AlterConfigsRequestResourceConfig{Name: name, Value: d.configValue(name)})
		}
		c.Resources = append(c.Resources, r)
	}
}

// incrementalAlterConfigs has an operation that there is not only where it asks
// for one config: for others than brokers Kafka fails on the whole request.
func (d *draw) incrementalAlterConfigs(q kmsg.Request) {
	c := q.(*kmsg.IncrementalAlterConfigsRequest)
	c.ValidateOnly = d.chance(3)
	for range pick(d, 0, 1, 1, 1, 2) {
		r := kmsg.NewIncrementalAlterConfigsRequestResource()
		var names []string
		r.ResourceType, r.ResourceName, names = d.resource(d.changing)
		for _, name := range names {
			op := pick[kmsg.IncrementalAlterConfigOp](d, 0, 0, 0, 1, 1, 2, 3)
			r.Configs = append(r.Configs, kmsg.IncrementalAlterConfigsRequestResourceConfig{Name: name, Op: op, Value: d.configValue(name)})
		}
		c.Resources = append(c.Resources, r)
	}
	if len(c.Resources) == 1 && len(c.Resources[0].Configs) == 1 && d.chance(10) {
		c.Resources[0].Configs[0].Op = pick[kmsg.IncrementalAlterConfigOp](d, 4, -1)
	}
}
