package metadata

import (
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// maxTopicName leaves room for a partition number and a suffix in the name of
// a partition's folder, which may have 255 bytes.
const maxTopicName = 249

// CheckTopicName holds a name to the rules of Kafka: it becomes a folder's
// name and a part of metrics' names.
func CheckTopicName(name string) *refusal.Refusal {
	switch {
	case name == "":
		return refusal.New(kerr.InvalidTopicException, "the topic name is empty")
	case name == "." || name == "..":
		return refusal.New(kerr.InvalidTopicException, "topic name %q is reserved by file systems", name)
	case len(name) > maxTopicName:
		return refusal.New(kerr.InvalidTopicException, "the topic name has %d characters, at most %d are allowed", len(name), maxTopicName)
	}
	for _, r := range name {
		if !legalInTopicName(r) {
			return refusal.New(kerr.InvalidTopicException, "topic name %q contains %q; ASCII letters, digits, '.', '_' and '-' are allowed", name, r)
		}
	}
	return nil
}

func legalInTopicName(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-'
}

// confusing names have a '.' or a '_', which metrics do not tell apart.
func confusing(name string) bool { return strings.ContainsAny(name, "._") }

// looksLike is what a name becomes in a metric.
func looksLike(name string) []byte { return []byte(strings.ReplaceAll(name, ".", "_")) }

// checkNameIsFree refuses a topic that exists, or that could not be told from
// one that does.
func (i *Image) checkNameIsFree(name string) *refusal.Refusal {
	if _, taken := i.Topic(name); taken {
		return refusal.New(kerr.TopicAlreadyExists, "topic %q already exists", name)
	}
	if !confusing(name) {
		return nil
	}
	if other, taken := i.confusable.Get(looksLike(name)); taken {
		return refusal.New(kerr.InvalidTopicException, "topic name %q collides with topic %q: they differ only in '.' and '_'", name, other)
	}
	return nil
}

func unknownTopic(name string) *refusal.Refusal {
	return refusal.New(kerr.UnknownTopicOrPartition, "there is no topic %q", name)
}

// LogTopic is by what name clients ask how far the metadata log is. No topic may
// have it; a broker's own tools would take that one for the log.
const LogTopic = "__cluster_metadata"

// GroupsTopic is where the groups and their offsets are kept.
const GroupsTopic = "__consumer_offsets"

// internalTopics are those that clients do not mean when they say all.
var internalTopics = []string{GroupsTopic, "__transaction_state", "__share_group_state"}

// IsInternal says that a topic is the broker's own.
func IsInternal(topic string) bool { return slices.Contains(internalTopics, topic) }
