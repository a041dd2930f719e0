package metadata

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// DeleteTopics plans the removal of topics, each on its own; they are named once
// each. One that is named both by its name and by its id is refused, with one
// result for the two.
func DeleteTopics(i *Image, topics []TopicRef) Plan {
	var plan Plan
	named := make(map[TopicID]int, len(topics))
	for _, ref := range topics {
		if topic, refused := i.find(ref); refused == nil {
			named[topic.ID]++
		}
	}
	for _, ref := range topics {
		topic, refused := i.find(ref)
		switch {
		case refused != nil:
			plan.Results = append(plan.Results, Refused(ref.Name, ref.ID, refused))
		case named[topic.ID] == 1:
			plan.Records = append(plan.Records, &TopicDeleted{TopicID: topic.ID})
			plan.Results = append(plan.Results, done(topic))
		case ref.Name != "":
			plan.Results = append(plan.Results, Refused(ref.Name, topic.ID,
				refusal.New(kerr.InvalidRequest, "topic %q is named by its id %s too", ref.Name, topic.ID)))
		}
	}
	return plan
}

func (i *Image) find(ref TopicRef) (*Topic, *refusal.Refusal) {
	if ref.ID != (TopicID{}) {
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
