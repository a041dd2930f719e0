package metadata

import "iter"

// history is the names of the topics that the newest records changed, newest
// first. By it the difference between two images that lie close to each other
// costs what changed, and not a walk over all topics. Images share it as they
// share topics.
type history struct {
	// since is the index of the last record that is not in it.
	since int64
	last  *touched
	count int
}

// touched says that the record at index changed the topic, or the one that had
// its name.
type touched struct {
	index int64
	topic string
	older *touched
}

// mostTouched bounds what the images keep of the past. Images further apart
// than that are compared topic by topic.
const mostTouched = 1024

// touch notes a change of a topic by the record at the image's index. A record
// changes one topic.
func (i *Image) touch(topic string) {
	if i.history.count >= mostTouched {
		i.history = history{since: i.index - 1}
	}
	i.history.last = &touched{index: i.index, topic: topic, older: i.history.last}
	i.history.count++
}

// touchAll notes that any topic may have been changed.
func (i *Image) touchAll() { i.history = history{since: i.index} }

// Changed visits the topics that differ between two images of one log, the
// later of which is next, in no order: each as it was and as it is, nil where
// it is not there.
func Changed(old, next *Image) iter.Seq2[*Topic, *Topic] {
	if next.history.since > old.index {
		return compared(old, next)
	}
	return func(yield func(before, after *Topic) bool) {
		seen := make(map[string]struct{})
		for t := next.history.last; t != nil && t.index > old.index; t = t.older {
			if _, again := seen[t.topic]; again {
				continue
			}
			seen[t.topic] = struct{}{}
			before, _ := old.Topic(t.topic)
			after, _ := next.Topic(t.topic)
			if before != after && !yield(before, after) {
				return
			}
		}
	}
}

// compared walks all topics. Those that did not change are the same pointer in
// both images, unless one of them is from a snapshot.
func compared(old, next *Image) iter.Seq2[*Topic, *Topic] {
	return func(yield func(before, after *Topic) bool) {
		for after := range next.Topics() {
			before, _ := old.Topic(after.Name)
			if before != after && !yield(before, after) {
				return
			}
		}
		for before := range old.Topics() {
			if _, there := next.Topic(before.Name); !there && !yield(before, nil) {
				return
			}
		}
	}
}
