package metadata

import "github.com/twmb/franz-go/pkg/kerr"

// DeleteTopics plans the removal of topics, each on its own.
func DeleteTopics(i *Image, topics []TopicRef) Plan {
	var plan Plan
	for _, ref := range topics {
		topic, failure := i.find(ref)
		if failure != nil {
			plan.Results = append(plan.Results, Refused(ref.Name, ref.ID, failure))
			continue
		}
		record := &TopicDeleted{TopicID: topic.ID}
		if i, failure = after(i, record); failure != nil {
			plan.Results = append(plan.Results, Refused(ref.Name, ref.ID, failure))
			continue
		}
		plan.Records = append(plan.Records, record)
		plan.Results = append(plan.Results, done(topic))
	}
	return plan
}

func (i *Image) find(ref TopicRef) (*Topic, *Failure) {
	if ref.Name == "" {
		if topic, found := i.TopicByID(ref.ID); found {
			return topic, nil
		}
		return nil, Failf(kerr.UnknownTopicID, "there is no topic with id %s", ref.ID)
	}
	if topic, found := i.Topic(ref.Name); found {
		return topic, nil
	}
	return nil, unknownTopic(ref.Name)
}
