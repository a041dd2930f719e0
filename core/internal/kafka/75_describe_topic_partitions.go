package kafka

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// describeTopicPartitionsAPI is DescribeTopicPartitions (KIP-966): topics page
// by page, by which the Java client describes them.
//
// An answer has the topics that were asked for, or all, in order of their names
// and each once, from the place that the cursor names, until there are as many
// partitions as the client and the broker allow. The cursor of the answer is
// where to go on. Eligible leader replicas are those out of sync that may lead
// all the same; the strategies here have none.
func describeTopicPartitionsAPI() *api {
	return decoded(api{key: 75, name: "DescribeTopicPartitions", min: 0, max: 0, flexibleFrom: 0}, describeTopicPartitions,
		`topics:[name:string] limit:int32 cursor:{topic:string partition:int32}`)
}

func describeTopicPartitions(_ context.Context, b *Backend, c *Caller, q *kmsg.DescribeTopicPartitionsRequest) *kmsg.DescribeTopicPartitionsResponse {
	response := kmsg.NewPtrDescribeTopicPartitionsResponse()
	if !cursorFits(q) {
		for _, t := range q.Topics {
			response.Topics = append(response.Topics, misplacedCursor(t.Topic))
		}
		return response
	}
	image := b.Controller.Image()
	page := topicPage{
		describer: b.describer(image, c),
		left:      max(min(int(q.ResponsePartitionLimit), b.Config.MaxRequestPartitions), 1),
		cursor:    q.Cursor,
	}
	page.fill(q)
	response.Topics, response.NextCursor = page.topics, page.next
	return response
}

// cursorFits: it must name one of the topics, if some are named.
func cursorFits(q *kmsg.DescribeTopicPartitionsRequest) bool {
	if q.Cursor == nil {
		return true
	}
	named := func(t kmsg.DescribeTopicPartitionsRequestTopic) bool { return t.Topic == q.Cursor.Topic }
	return q.Cursor.Partition >= 0 && (len(q.Topics) == 0 || slices.ContainsFunc(q.Topics, named))
}

func misplacedCursor(topic string) kmsg.DescribeTopicPartitionsResponseTopic {
	t := kmsg.NewDescribeTopicPartitionsResponseTopic()
	t.Topic, t.ErrorCode = kmsg.StringPtr(topic), kerr.InvalidRequest.Code
	return t
}

// topicPage is one answer in the making.
type topicPage struct {
	describer
	// left is how many partitions may still be added.
	left   int
	cursor *kmsg.DescribeTopicPartitionsRequestCursor

	topics []kmsg.DescribeTopicPartitionsResponseTopic
	// next is where the page ends, nil while it goes on.
	next *kmsg.DescribeTopicPartitionsResponseNextCursor
}

func (p *topicPage) fill(q *kmsg.DescribeTopicPartitionsRequest) {
	if len(q.Topics) == 0 {
		for t := range p.image.Topics() {
			if p.add(t.Name); p.next != nil {
				return
			}
		}
		return
	}
	names := make([]string, 0, len(q.Topics))
	for _, t := range q.Topics {
		names = append(names, t.Topic)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if p.add(name); p.next != nil {
			return
		}
	}
}

// add puts a topic on the page, or ends the page before it or in it.
func (p *topicPage) add(name string) {
	first := 0
	if p.cursor != nil {
		switch {
		case name < p.cursor.Topic:
			return
		case name == p.cursor.Topic:
			first = int(p.cursor.Partition)
		}
	}
	if p.left == 0 {
		p.endAt(name, 0)
		return
	}
	topic := kmsg.NewDescribeTopicPartitionsResponseTopic()
	topic.Topic, topic.AuthorizedOperations = kmsg.StringPtr(name), topicOperations
	topic.IsInternal = metadata.IsInternal(name)
	t, ok := p.image.Topic(name)
	if !ok {
		topic.ErrorCode = whyMissing(name)
		p.topics = append(p.topics, topic)
		return
	}
	topic.TopicID = t.ID
	first = min(first, len(t.Partitions))
	end := min(first+p.left, len(t.Partitions))
	for number := first; number < end; number++ {
		topic.Partitions = append(topic.Partitions, p.partition(t, int32(number)))
	}
	p.left -= end - first
	p.topics = append(p.topics, topic)
	if end < len(t.Partitions) {
		p.endAt(name, end)
	}
}

func (p *topicPage) endAt(topic string, partition int) {
	next := kmsg.NewDescribeTopicPartitionsResponseNextCursor()
	next.Topic, next.Partition = topic, int32(partition)
	p.next = &next
}

func (p *topicPage) partition(t *metadata.Topic, number int32) kmsg.DescribeTopicPartitionsResponseTopicPartition {
	var m kmsg.MetadataResponseTopicPartition
	p.describePartition(t, number, &m)
	d := kmsg.NewDescribeTopicPartitionsResponseTopicPartition()
	d.Partition, d.ErrorCode, d.LeaderID, d.LeaderEpoch = number, m.ErrorCode, m.Leader, m.LeaderEpoch
	d.Replicas, d.ISR, d.OfflineReplicas = m.Replicas, m.ISR, m.OfflineReplicas
	// Empty and not null: a null is for clients that there is nothing known.
	d.EligibleLeaderReplicas, d.LastKnownELR = []int32{}, []int32{}
	return d
}
