package partition

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/storage"
)

// Apply makes the partitions those of next. old is the image that was applied
// before, or an empty one or nil at first. A partition that cannot be opened is
// offline and does not keep the others from it; what went wrong with a removal
// is returned.
func (r *Registry) Apply(old, next *metadata.Image) error {
	var errs []error
	first := !r.applied
	r.applied = true
	if old == nil {
		old = metadata.Empty()
	}
	reconfigured := r.configure(next)
	var add, change, remove []*metadata.Topic
	for before, after := range metadata.Changed(old, next) {
		switch {
		case before == nil:
			add = append(add, after)
		case after == nil:
			remove = append(remove, before)
		case before.ID != after.ID:
			remove, add = append(remove, before), append(add, after)
		default:
			change = append(change, after)
		}
	}
	for _, t := range remove {
		errs = append(errs, r.remove(t))
	}
	r.open(next, add, first)
	if reconfigured && !first {
		change = slices.Collect(next.Topics())
	}
	for _, t := range change {
		errs = append(errs, r.change(t))
	}
	if first {
		r.reportStray()
		r.retainer.start(r)
		r.host.cleaner.start(r.host)
	}
	return errors.Join(errs...)
}

// configure takes over what is set for this broker while it runs, and says
// whether that has changed.
func (r *Registry) configure(next *metadata.Image) bool {
	forAll, own := next.BrokerConfigs(r.host.Config.NodeID)
	if maps.Equal(forAll, r.forAll) && maps.Equal(own, r.own) {
		return false
	}
	r.forAll, r.own = forAll, own
	r.config = r.host.Config.With(forAll, own)
	r.host.cleaner.backoffMs.Store(r.config.Cleaner.Backoff.Milliseconds())
	return true
}

// opening is one partition to be opened.
type opening struct {
	topic  *Topic
	of     *metadata.Topic
	number int32
	set    *settings
	opened *Partition
}

// open opens the partitions of new topics, several at a time, and shows the
// topics when all their partitions are there. first says that the topics are
// older than this start, and so are their logs.
func (r *Registry) open(image *metadata.Image, topics []*metadata.Topic, first bool) {
	var work []*opening
	added := make([]*Topic, len(topics))
	for i, of := range topics {
		added[i] = &Topic{Name: of.Name, ID: of.ID}
		work = append(work, r.openings(added[i], of, 0)...)
	}
	if first {
		r.openAll(r.withoutOthers(r.withoutMissing(image, work)))
	} else {
		r.openAll(work)
	}
	byTopic := make(map[*Topic][]*Partition, len(topics))
	for i, t := range added {
		byTopic[t] = make([]*Partition, len(topics[i].Partitions))
	}
	for _, o := range work {
		byTopic[o.topic][o.number] = o.opened
	}
	for _, t := range added {
		partitions := byTopic[t]
		t.partitions.Store(&partitions)
		r.byID.Store(t.ID, t)
		r.byName.Store(t.Name, t)
	}
}

// openings lists the partitions from number first on that this broker has
// replicas of.
func (r *Registry) openings(t *Topic, of *metadata.Topic, first int) []*opening {
	set := r.settingsOf(of)
	var work []*opening
	for i := first; i < len(of.Partitions); i++ {
		if slices.Contains(of.Partitions[i].Record.Replicas, r.host.Config.NodeID) {
			work = append(work, &opening{topic: t, of: of, number: int32(i), set: set})
		}
	}
	return work
}

func (r *Registry) openAll(work []*opening) {
	concurrently(work, func(o *opening) error {
		id := logID(o.of, o.number)
		record := o.of.Partitions[o.number].Record
		var err error
		o.opened, err = r.host.open(context.Background(), r.host.dirs.place(id), id, o.of.Strategy, o.set, record)
		return err
	})
}

// settingsOf falls back to the broker's values if the topic's own are refused:
// they were accepted when they were set.
func (r *Registry) settingsOf(t *metadata.Topic) *settings {
	resolved, err := config.ResolveTopic(r.config, t.Configs)
	if err != nil {
		r.host.Log.Error("topic has a configuration that is refused; the broker's values act", "topic", t.Name, "error", err)
		resolved = r.config.Topic
	}
	if metadata.IsInternal(t.Name) {
		// Only the broker writes there. A group that is too large for one record
		// would hold up all the others of its partition, again and again.
		resolved.MaxMessageBytes = math.MaxInt32
	}
	return r.host.settingsOf(r.config, resolved)
}

// change follows a topic that is the same with other records, configuration or
// more partitions.
func (r *Registry) change(of *metadata.Topic) error {
	t, ok := r.TopicNamed(of.Name)
	if !ok {
		return fmt.Errorf("topic %s changed before it was there", of.Name)
	}
	set := r.settingsOf(of)
	var errs []error
	now := t.All()
	for i, p := range now {
		if p != nil {
			errs = append(errs, p.change(set, of.Partitions[i].Record))
		}
	}
	if len(of.Partitions) > len(now) {
		work := r.openings(t, of, len(now))
		r.openAll(work)
		more := append(slices.Clone(now), make([]*Partition, len(of.Partitions)-len(now))...)
		for _, o := range work {
			more[o.number] = o.opened
		}
		t.partitions.Store(&more)
	}
	return errors.Join(errs...)
}

// remove closes and deletes the logs of a topic that was deleted.
func (r *Registry) remove(of *metadata.Topic) error {
	t, ok := r.TopicByID(of.ID)
	if !ok {
		return nil
	}
	r.byID.Delete(of.ID)
	r.byName.CompareAndDelete(of.Name, t)
	var local []*Partition
	for _, p := range t.All() {
		if p != nil {
			local = append(local, p)
		}
	}
	return errors.Join(concurrently(local, func(p *Partition) error {
		if err := p.close(context.Background(), errGone); err != nil {
			r.host.Log.Warn("log of a deleted topic was not closed cleanly", "topic", p.id.Topic, "partition", p.id.Partition, "error", err)
		}
		r.host.dirs.closed(p)
		return r.removeLog(p.dir, p.id)
	})...)
}

// removeLog leaves alone what is in a directory that has failed or is missing:
// the next start that has it finds it there, and that its topic is no more.
func (r *Registry) removeLog(dir string, id storage.ID) error {
	if dir == "" || r.host.dirs.failure(dir) != nil {
		return nil
	}
	if err := r.host.Engine.Remove(context.Background(), dir, id); err != nil {
		r.host.noteDirectory(dir, err)
		return fmt.Errorf("cannot remove the log of %s-%d in %s: %w", id.Topic, id.Partition, dir, err)
	}
	r.host.dirs.removed(id, dir)
	return nil
}

// reportStray names the logs that belong to no topic. They are not deleted: the
// metadata says nothing of them, and may be what is wrong.
func (r *Registry) reportStray() {
	for id, dir := range r.host.dirs.unopened() {
		r.host.Log.Warn("log belongs to no topic and is left alone", "dir", dir, "topic", id.Topic,
			"topic_id", metadata.TopicID(id.TopicID), "partition", id.Partition)
	}
}

// atOnce is how many logs are opened or closed side by side.
const atOnce = 8

func concurrently[T any](items []T, do func(T) error) []error {
	var (
		wait  sync.WaitGroup
		mu    sync.Mutex
		errs  []error
		slots = make(chan struct{}, atOnce)
	)
	for _, item := range items {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			if err := do(item); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return errs
}
