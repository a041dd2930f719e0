package config

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// checkGroupLimits holds what a group sets to what the broker allows groups to
// set: KIND.REST is from group.KIND.min.REST to group.KIND.max.REST, where there
// are such configs.
func (b *Broker) checkGroupLimits(name, value string) error {
	kind, rest, _ := strings.Cut(name, ".")
	if name == "streams.num.standby.replicas" {
		rest = "standby.replicas" // so it is called
	}
	least, hasLeast := b.wholeNumber("group." + kind + ".min." + rest)
	most, hasMost := b.wholeNumber("group." + kind + ".max." + rest)
	if !hasLeast && !hasMost {
		return nil
	}
	if !hasLeast {
		least = 0
	}
	if n, ok := parseWhole(strings.TrimSpace(value), math.MinInt64, math.MaxInt64); !ok || n < least || n > most {
		return &ValueError{name, value, fmt.Sprintf("from %d to %d, as the broker's group.%s.min and max allow", least, most, kind)}
	}
	return nil
}

// checkConsumerGroups refuses, as Kafka does, bounds of which the lower is above
// the upper, values of the broker's own that are out of them, and a session that
// ends before the second heartbeat: its members would be out again and again.
func (b *Broker) checkConsumerGroups() error {
	for _, v := range b.boundGroupValues(&b.Groups) {
		rest := strings.TrimPrefix(v.name, "consumer.")
		least, most := "group.consumer.min."+rest, "group.consumer.max."+rest
		switch {
		case v.bounds.least > v.bounds.most:
			return b.apart(least, v.bounds.least, most, v.bounds.most)
		case *v.value < v.bounds.least:
			return b.apart(least, v.bounds.least, "group."+v.name, *v.value)
		case *v.value > v.bounds.most:
			return b.apart("group."+v.name, *v.value, most, v.bounds.most)
		}
	}
	heartbeat, session := b.Groups.ConsumerHeartbeatIntervalMs, b.Groups.ConsumerSessionTimeoutMs
	if heartbeat >= session {
		return &ValueError{"group.consumer.heartbeat.interval.ms", strconv.Itoa(int(heartbeat)),
			fmt.Sprintf("less than group.consumer.session.timeout.ms, which is %d", session)}
	}
	return nil
}

// apart complains about the one of two values, of which the first is above the
// second, that is set; the other may be a default.
func (b *Broker) apart(lower string, is int32, upper string, atMost int32) error {
	if _, set := b.Set[lower]; set {
		return &ValueError{lower, strconv.Itoa(int(is)), fmt.Sprintf("at most %s, which is %d", upper, atMost)}
	}
	return &ValueError{upper, strconv.Itoa(int(atMost)), fmt.Sprintf("at least %s, which is %d", lower, is)}
}

// wholeNumber is the value of a broker config; false if there is none of that
// name.
func (b *Broker) wholeNumber(name string) (int64, bool) {
	k, known := brokerKeys[name]
	if !known {
		return 0, false
	}
	text := k.Default
	if set, _, is := b.text(name); is {
		text = set
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n, err == nil
}

// iso8601Duration has days, hours, minutes and seconds.
var iso8601Duration = regexp.MustCompile(`^by_duration:P(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$`)

// whereToBegin is where a group begins that has no offsets yet.
func whereToBegin() syntax[string] {
	return syntax[string]{String, "earliest, latest, or by_duration:PnDTnHnMn.nS", func(text string) (string, bool) {
		long := iso8601Duration.MatchString(text) && !strings.HasSuffix(text, "P") && !strings.HasSuffix(text, "T")
		return text, text == "earliest" || text == "latest" || long
	}}
}

// ordinaryTopic is a name that is not one of an internal topic.
func ordinaryTopic() syntax[string] {
	return syntax[string]{String, "the name of a topic, which does not begin with __", func(text string) (string, bool) {
		return text, !strings.HasPrefix(text, "__")
	}}
}
