package metadata

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func brokerIn(line string) Broker {
	var b Broker
	for _, word := range strings.Fields(line) {
		key, value, assigned := strings.Cut(word, "=")
		host, port, _ := strings.Cut(value, ":")
		switch {
		case !assigned:
			n, _ := strconv.Atoi(word)
			b.ID = int32(n)
		case key == "rack":
			b.Rack = value
		default:
			n, _ := strconv.Atoi(port)
			b.Listeners = append(b.Listeners, Endpoint{Listener: key, Host: host, Port: int32(n)})
		}
	}
	return b
}

func newTopicIn(t *testing.T, line string, id TopicID) NewTopic {
	name, rest, _ := strings.Cut(line, " ")
	if unquoted, err := strconv.Unquote(name); err == nil {
		name = unquoted
	}
	topic := NewTopic{Name: name, ID: id, Partitions: -1, ReplicationFactor: -1}
	for _, word := range strings.Fields(rest) {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "partitions":
			topic.Partitions = number(t, value)
		case "factor":
			topic.ReplicationFactor = int16(number(t, value))
		case "replicas":
			topic.Assignment = assignedIn(t, word)
		default:
			if topic.Configs == nil {
				topic.Configs = map[string]string{}
			}
			topic.Configs[key] = value
		}
	}
	return topic
}

// assignedIn reads replicas=1/2,2/3: partitions 0 and 1, or 7:1/2 for one that
// is out of order.
func assignedIn(t *testing.T, word string) []Assigned {
	_, list, _ := strings.Cut(word, "=")
	assigned := []Assigned{}
	if list == "" {
		return assigned
	}
	for n, part := range strings.Split(list, ",") {
		a := Assigned{Partition: int32(n)}
		if before, after, numbered := strings.Cut(part, ":"); numbered {
			a.Partition, part = number(t, before), after
		}
		for _, node := range strings.FieldsFunc(part, func(r rune) bool { return r == '/' }) {
			a.Replicas = append(a.Replicas, number(t, node))
		}
		assigned = append(assigned, a)
	}
	return assigned
}

func refsIn(t *testing.T, lines []string) []TopicRef {
	var refs []TopicRef
	for _, line := range lines {
		text, byID := strings.CutPrefix(line, "id:")
		if !byID {
			refs = append(refs, TopicRef{Name: line})
			continue
		}
		id, err := ParseTopicID(text)
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, TopicRef{ID: id})
	}
	return refs
}

func number(t *testing.T, text string) int32 {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return int32(n)
}

func configsText(configs map[string]string) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(configs)) {
		text += fmt.Sprintf(", %s=%s", name, configs[name])
	}
	return text
}
