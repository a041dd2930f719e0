package partition

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/storage"
)

// Registry is the partitions of this broker. Looking one up may be done by
// anybody at any time; Mount, Directories, Apply and Close are called by one
// caller at a time, in this order.
//
// Lookups share no lock, since every request makes some: on two cores one takes
// 22 ns, under a read lock 52 ns and more with every core. A copied map behind
// an atomic pointer takes 8 ns, but creating n topics would cost n².
type Registry struct {
	host *host
	// applied says that there was an Apply.
	applied bool
	// config is the broker's with forAll and own, what was set while it runs.
	config      *config.Broker
	forAll, own map[string]string

	retainer retainer

	// byName has a *Topic for each name, byID for each metadata.TopicID.
	byName, byID sync.Map
}

// NewRegistry makes a registry without partitions.
func NewRegistry(o Options) *Registry {
	return &Registry{config: o.Config, host: newHost(o)}
}

// Mount takes the directories of log.dirs. If one cannot be had it lets go of
// all and errs.
func (r *Registry) Mount(ctx context.Context, clusterID string) error {
	for _, dir := range r.host.Config.LogDirs {
		mounted, err := r.host.Engine.Mount(ctx, storage.Mount{Dir: dir, ClusterID: clusterID, Node: r.host.Config.NodeID})
		if err != nil {
			return errors.Join(fmt.Errorf("log.dirs: cannot use %s: %w", dir, err), r.unmount(ctx))
		}
		r.host.Log.Debug("log directory mounted", "dir", dir, "clean", mounted.Clean, "logs", len(mounted.Logs))
		r.host.dirs.identify(dir, mounted.DirectoryID)
		if err := r.host.dirs.add(dir, mounted.Logs); err != nil {
			return errors.Join(fmt.Errorf("log.dirs: cannot use %s: %w", dir, err), r.unmount(ctx))
		}
	}
	return nil
}

// Topic finds a topic by name. It does not keep name.
func (r *Registry) Topic(name []byte) (*Topic, bool) {
	return r.TopicNamed(unsafe.String(unsafe.SliceData(name), len(name)))
}

// TopicNamed finds a topic by name.
func (r *Registry) TopicNamed(name string) (*Topic, bool) {
	t, ok := r.byName.Load(name)
	if !ok {
		return nil, false
	}
	return t.(*Topic), true
}

// TopicByID finds a topic by id.
func (r *Registry) TopicByID(id metadata.TopicID) (*Topic, bool) {
	t, ok := r.byID.Load(id)
	if !ok {
		return nil, false
	}
	return t.(*Topic), true
}

// Topics returns the topics in no order.
func (r *Registry) Topics() []*Topic {
	var all []*Topic
	r.byName.Range(func(_, t any) bool {
		all = append(all, t.(*Topic))
		return true
	})
	return all
}

// Stats sums up the partitions for metrics.
type Stats struct {
	Topics, Partitions, Offline int
	// Bytes is the size of all logs, EndOffsets the sum of their end offsets.
	Bytes, EndOffsets int64
	// Directories is the number of log.dirs, OfflineDirectories of those that
	// have failed.
	Directories, OfflineDirectories int
}

// Stats asks every partition; it touches no disk.
func (r *Registry) Stats() Stats {
	s := Stats{Directories: len(r.host.dirs.mounted()), OfflineDirectories: r.host.dirs.offline()}
	for _, t := range r.Topics() {
		s.Topics++
		for _, p := range t.All() {
			if p == nil {
				continue
			}
			s.Partitions++
			if p.Failure() != nil {
				s.Offline++
				continue
			}
			s.Bytes += p.Bytes()
			s.EndOffsets += p.LogEndOffset()
		}
	}
	return s
}

// Close ends all partitions, with their producer state kept, and lets go of the
// directories, which closes the logs together: one by one they would take more
// than the seconds that a stop has. Requests that come later are refused.
func (r *Registry) Close(ctx context.Context) error {
	r.retainer.stop()
	r.host.reopener.stop()
	r.host.cleaner.stop()
	r.host.files.Close()
	var open []*Partition
	for _, t := range r.Topics() {
		for _, p := range t.All() {
			if p != nil {
				open = append(open, p)
			}
		}
	}
	concurrently(open, func(p *Partition) error {
		p.leave(errOffline)
		return nil
	})
	r.host.watermarks.stop()
	r.host.endFailing()
	return r.unmount(ctx)
}

// YieldFiles has up to n files closed that are kept open only for speed, but not
// the last ones, and returns how many: for when the process has no descriptor left.
func (r *Registry) YieldFiles(n int) int { return r.host.files.Yield(n) }

// DirectoryFailure is why a directory of log.dirs is offline, nil if it is not.
func (r *Registry) DirectoryFailure(dir string) error { return r.host.dirs.failure(dir) }

// FailedDirectories has those of log.dirs that are offline, and why.
func (r *Registry) FailedDirectories() map[string]error { return r.host.dirs.failed() }

func (r *Registry) unmount(ctx context.Context) error {
	var errs []error
	for _, dir := range r.host.dirs.release() {
		if err := r.host.Engine.Unmount(ctx, dir); err != nil {
			errs = append(errs, fmt.Errorf("cannot let go of %s: %w", dir, err))
		}
	}
	return errors.Join(errs...)
}
