package differential

import "github.com/twmb/franz-go/pkg/kmsg"

// Keys of requests that the course of a play hangs on.
const (
	offsetCommit            = 8
	joinGroup               = 11
	describeGroups          = 15
	incrementalAlterConfigs = 44
	consumerHeartbeat       = 68
)

// groupConfigs have values of which none puts anything off: what is due is due
// at once, and no member is lost.
var groupConfigs = map[string][]string{
	"consumer.session.timeout.ms":     {"45000", "60000", "50000", "44999", "60001", "soon"},
	"consumer.heartbeat.interval.ms":  {"5000", "6000", "15000", "4999", "15001", "50000"},
	"consumer.assignment.interval.ms": {"0", "-1", "15001"},
	"share.session.timeout.ms":        {"45000", "60000", "1"},
	"share.auto.offset.reset":         {"earliest", "latest", "by_duration:PT1H", "sometimes"},
	"streams.num.standby.replicas":    {"0", "1", "-1"},
	"retention.ms":                    {"1"},
	"consumer.no.such.config":         {"1"},
}

var groupConfigNames = []string{
	"consumer.session.timeout.ms", "consumer.heartbeat.interval.ms", "consumer.heartbeat.interval.ms", "consumer.assignment.interval.ms",
	"share.session.timeout.ms", "share.auto.offset.reset", "streams.num.standby.replicas", "retention.ms", "consumer.no.such.config",
}

// configure changes what the group sets for itself.
func (p *play) configure() {
	q := p.request(incrementalAlterConfigs).(*kmsg.IncrementalAlterConfigsRequest)
	r := kmsg.NewIncrementalAlterConfigsRequestResource()
	r.ResourceType, r.ResourceName = kmsg.ConfigResourceTypeGroupConfig, p.group
	for range pick(p.draw, 1, 1, 2) {
		name := pick(p.draw, groupConfigNames...)
		one := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		one.Name, one.Op = name, pick[kmsg.IncrementalAlterConfigOp](p.draw, 0, 0, 0, 1)
		one.Value = kmsg.StringPtr(pick(p.draw, groupConfigs[name]...))
		r.Configs = append(r.Configs, one)
	}
	q.Resources, q.ValidateOnly = append(q.Resources, r), p.chance(6)
	p.act(0, q, false)
}

func describeGroupConfigs(group string) kmsg.Request {
	q := versioned(32, 4).(*kmsg.DescribeConfigsRequest)
	q.IncludeSynonyms = true
	q.Resources = []kmsg.DescribeConfigsRequestResource{{ResourceType: kmsg.ConfigResourceTypeGroupConfig, ResourceName: group}}
	return q
}
