package partition

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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
		others := r.host.dirs.otherTopics(id)
		if len(others) == 0 {
			rest = append(rest, o)
			continue
		}
		why := whyOthers(id, others)
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

// whyOthers is the sentence that users are told. The files are those in which
// Kafka, and the engine that keeps its files, have the ids.
func whyOthers(id storage.ID, others []namesake) string {
	own := metadata.TopicID(id.TopicID)
	var says, folders []string
	for _, other := range others {
		folder := filepath.Join(other.dir, fmt.Sprintf("%s-%d", id.Topic, id.Partition))
		says = append(says, fmt.Sprintf("%s says that the log is of topic id %s", filepath.Join(folder, "partition.metadata"), metadata.TopicID(other.id.TopicID)))
		folders = append(folders, folder)
	}
	what := "if it is this topic's log, write topic_id: %s into that file; if it is the log of an earlier topic of the name, " +
		"move %s out of log.dirs, and the partition is made anew, empty"
	if len(others) > 1 {
		what = "if one of them is this topic's log, write topic_id: %s into its file; if they are logs of earlier topics of the name, " +
			"move %s out of log.dirs, and the partition is made anew, empty"
	}
	return fmt.Sprintf("%s, and the topic has %s; "+what+"; then start the broker again",
		strings.Join(says, ", "), own, own, strings.Join(folders, " and "))
}

// otherTopics are the logs of id's topic name and partition that were there at
// the start under other topics' ids. There is none if id's own log was there, or
// one that says no topic id.
func (d *directories) otherTopics(id storage.ID) []namesake {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, own := d.found[id]; own {
		return nil
	}
	others := d.namesakes(id)
	if len(others) > 0 && others[0].id.TopicID == [16]byte{} {
		return nil
	}
	return others
}

// namesake is a log of the same topic name and partition under another topic's
// id, or one that says no topic id.
type namesake struct {
	id  storage.ID
	dir string
}

// namesakes are those of id that were there at the start and have not been
// opened: first one that says no topic id, then in the order of log.dirs. The
// caller holds d.mu.
func (d *directories) namesakes(id storage.ID) []namesake {
	var all []namesake
	for other, dir := range d.found {
		if other.Topic == id.Topic && other.Partition == id.Partition && other.TopicID != id.TopicID {
			all = append(all, namesake{other, dir})
		}
	}
	place := func(n namesake) int {
		if n.id.TopicID == [16]byte{} {
			return -1
		}
		return slices.Index(d.order, n.dir)
	}
	slices.SortFunc(all, func(a, b namesake) int {
		return cmp.Or(place(a)-place(b), bytes.Compare(a.id.TopicID[:], b.id.TopicID[:]))
	})
	return all
}
