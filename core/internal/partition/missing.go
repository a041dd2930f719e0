package partition

import (
	"fmt"
	"slices"
	"strings"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/storage"
)

// Directories are those that the metadata has to know from now on: the mounted
// ones, and of those that it knew and that are not mounted the ones that may
// hold a log of this broker's. They may when a log is found nowhere, unless
// log.dirs.lost gives them up. It is for between Mount and the first Apply.
func (r *Registry) Directories(image *metadata.Image) []metadata.Directory {
	known := slices.Clone(r.host.dirs.mountedAs())
	if !r.lacksLog(image) {
		return known
	}
	for _, d := range r.missing(image) {
		if slices.Contains(r.host.Config.LogDirsLost, d.ID.String()) {
			r.host.Log.Warn("log directory is given up, as log.dirs.lost says; what was in it is made anew, empty", "directory_id", d.ID, "last_at", d.Path)
			continue
		}
		known = append(known, d)
	}
	return known
}

// missing are the directories that the metadata knows and that are not mounted.
func (r *Registry) missing(image *metadata.Image) []metadata.Directory {
	self, _ := image.Broker(r.host.Config.NodeID)
	mounted := r.host.dirs.mountedAs()
	return slices.DeleteFunc(slices.Clone(self.Directories), func(d metadata.Directory) bool {
		return slices.ContainsFunc(mounted, func(m metadata.Directory) bool { return m.ID == d.ID })
	})
}

// lacksLog reports whether the log of a replica of this broker is in no
// directory that is mounted.
func (r *Registry) lacksLog(image *metadata.Image) bool {
	for t := range image.Topics() {
		for number, p := range t.Partitions {
			if slices.Contains(p.Record.Replicas, r.host.Config.NodeID) && !r.host.dirs.holds(logID(t, int32(number))) {
				return true
			}
		}
	}
	return false
}

func logID(t *metadata.Topic, number int32) storage.ID {
	return storage.ID{Topic: t.Name, TopicID: t.ID, Partition: number}
}

// withoutMissing makes offline the partitions of the first image that may be in
// a directory which is not mounted: made anew, they would be empty. It returns
// the others.
func (r *Registry) withoutMissing(image *metadata.Image, work []*opening) []*opening {
	missing := r.missing(image)
	if len(missing) == 0 {
		return work
	}
	why := r.host.whyMissing(missing)
	var rest []*opening
	var offline []string
	for _, o := range work {
		id := logID(o.of, o.number)
		if r.host.dirs.holds(id) {
			rest = append(rest, o)
			continue
		}
		o.opened = r.host.missing(id, o, why)
		offline = append(offline, fmt.Sprintf("%s-%d", id.Topic, id.Partition))
	}
	if len(offline) > 0 {
		r.host.Log.Error("partitions are offline: "+why, "count", len(offline), "partitions", shortened(offline))
	}
	return rest
}

// mostNamed bounds the partitions in one line of the log.
const mostNamed = 20

func shortened(names []string) string {
	if len(names) > mostNamed {
		return strings.Join(names[:mostNamed], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// missing is a partition without a log, and so without a directory, until the
// next start.
func (h *host) missing(id storage.ID, o *opening, why string) *Partition {
	record := o.of.Partitions[o.number].Record
	p := &Partition{id: id, host: h, record: record}
	p.settings.Store(o.set)
	p.role.Store(&Role{Leader: -1, Epoch: record.LeaderEpoch})
	p.failure = refusal.New(errOffline.Kind, "%s: %s", errOffline.Message, why)
	return p
}

// whyMissing is the sentence that users are told.
func (h *host) whyMissing(missing []metadata.Directory) string {
	var ids, lost []string
	for _, d := range missing {
		at := "last at " + d.Path
		if slices.Contains(h.dirs.mounted(), d.Path) {
			at += ", where there is another directory now"
		}
		ids = append(ids, fmt.Sprintf("%s (%s)", d.ID, at))
		lost = append(lost, d.ID.String())
	}
	return fmt.Sprintf("the log is in none of log.dirs, and these log directories are missing: %s; "+
		"mount the disk or put the path back into log.dirs and start the broker again, or, if it is lost for good, "+
		"start it with log.dirs.lost=%s, which makes such partitions anew, empty", strings.Join(ids, ", "), strings.Join(lost, ","))
}
