package partition

import (
	"fmt"
	"path/filepath"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/storage"
)

// withoutOthers makes offline the partitions of the first image in whose place
// is a log with another topic's id, while their own is nowhere. A topic that is
// older than this start has a log, so it is the id that may be wrong, and with
// the log set aside the partition would begin anew, empty. It returns the others.
//
// A topic that is created while the broker runs never had a log: then that one is
// an earlier topic's, and the engine sets it aside.
func (r *Registry) withoutOthers(work []*opening) []*opening {
	var rest []*opening
	var offline []string
	var first string
	for _, o := range work {
		id := logID(o.of, o.number)
		other, dir, ok := r.host.dirs.otherTopics(id)
		if !ok {
			rest = append(rest, o)
			continue
		}
		why := whyOther(id, other, dir)
		o.opened = r.host.missing(id, o, why)
		offline = append(offline, fmt.Sprintf("%s-%d", id.Topic, id.Partition))
		if first == "" {
			first = why
		}
	}
	if len(offline) > 0 {
		r.host.Log.Error("partitions are offline: their logs are not there, and in their place are logs with the ids of other topics",
			"count", len(offline), "partitions", shortened(offline), "first", first)
	}
	return rest
}

// whyOther is the sentence that users are told. The file is the one in which
// Kafka, and the engine that keeps its files, have the id.
func whyOther(id, other storage.ID, dir string) string {
	folder := filepath.Join(dir, fmt.Sprintf("%s-%d", id.Topic, id.Partition))
	return fmt.Sprintf("%s says that the log is of topic id %s, and the topic has %s; "+
		"if it is this topic's log, write topic_id: %s into that file; if it is the log of an earlier topic of the name, "+
		"move %s out of log.dirs, and the partition is made anew, empty; then start the broker again",
		filepath.Join(folder, "partition.metadata"), metadata.TopicID(other.TopicID), metadata.TopicID(id.TopicID),
		metadata.TopicID(id.TopicID), folder)
}

// otherTopics is a log of id's topic name and partition that was there at the
// start under another topic's id. ok is false if id's own log was there, or one
// that says no topic id.
func (d *directories) otherTopics(id storage.ID) (other storage.ID, dir string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, own := d.found[id]; own {
		return other, "", false
	}
	for candidate, in := range d.found {
		if candidate.Topic != id.Topic || candidate.Partition != id.Partition {
			continue
		}
		if candidate.TopicID == [16]byte{} {
			return storage.ID{}, "", false
		}
		other, dir, ok = candidate, in, true
	}
	return other, dir, ok
}
