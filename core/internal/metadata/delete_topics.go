package metadata

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// DeleteTopics plans the removal of topics, each on its own.
func DeleteTopics(i *Image, topics []TopicRef) Plan {
	var plan Plan
	for _, ref := range topics {
		topic, refused := i.find(ref)
		if refused != nil {
			plan.Results = append(plan.Results, Refused(ref.Name, ref.ID, refused))
			continue
		}
		record := &TopicDeleted{TopicID: topic.ID}
		if i, refused = after(i, record); refused != nil {
			plan.Results = append(plan.Results, Refused(ref.Name, ref.ID, refused))
			continue
		}
		plan.Records = append(plan.Records, record)
		plan.Results = append(plan.Results, done(topic))
	}
	return plan
}

func (i *Image) find(ref TopicRef) (*Topic, *refusal.Refusal) {
	if ref.Name == "" {
		if topic, found := i.TopicByID(ref.ID); found {
			return topic, nil
		}
		return nil, refusal.New(kerr.UnknownTopicID, "there is no topic with id %s", ref.ID)
	}
	if topic, found := i.Topic(ref.Name); found {
		return topic, nil
	}
	return nil, unknownTopic(ref.Name)
}
