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
