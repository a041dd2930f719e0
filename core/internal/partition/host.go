package partition

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// Options is what a [Registry] is made of. None but YieldFiles may be missing.
type Options struct {
	Config *config.Broker
	Engine storage.Engine
	// Strategies by the name that topics give in replication.strategy.
	Strategies map[string]replication.Strategy
	Decompress Decompress
	Compress   Compress
	Clock      clock.Clock
	Log        hclog.Logger
	// Seed starts the random numbers of strategies.
	Seed uint64
	// YieldFiles, if set, has others in this process close up to n files that they
	// need not have open, but not the last leave ones, and returns how many they
	// have.
	YieldFiles func(n, leave int) int
	// Failed is told, once, when no directory of log.dirs is left to serve from.
	// It must not block.
	Failed func(error)
}

// host is what all partitions of a broker share.
type host struct {
	Options
	codecs *codecs
	files  *Files
	dirs   *directories
	// watermarks keeps the high watermarks in the directories.
	watermarks *watermarks
	// reopener waits for room on a disk that is full.
	reopener *reopener
	cleaner  cleaner
	// failing is one for each directory that is being let go after it failed.
	// Nothing is added once stopped is set; both are under failingMu.
	failingMu sync.Mutex
	failing   sync.WaitGroup
	stopped   bool
	// began is where the monotonic time of the machines counts from.
	began time.Time
}

func newHost(o Options) *host {
	h := &host{Options: o, codecs: newCodecs(o), files: NewFiles(filesKept(vfs.DescriptorLimit())), dirs: newDirectories(), began: o.Clock.Now()}
	h.files.yieldOthers = o.YieldFiles
	h.watermarks, h.reopener = &watermarks{host: h}, &reopener{host: h}
	h.cleaner.backoffMs.Store(o.Config.Cleaner.Backoff.Milliseconds())
	return h
}

// ctx is for calls into modules on the path of a request. They are short; the
// deadlines of calls that cross a process are set by the binding.
func (h *host) ctx() context.Context { return context.Background() }
