package segment

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// How many seeds TestSeededPowerCuts tries, and which one first.
var (
	cutSeeds  = flag.Uint64("seeds", 200, "number of seeds of power cuts")
	firstSeed = flag.Uint64("seed", 1, "the first seed of power cuts")
)

// lives is how often the power of one seed's disk goes.
const lives = 4

var errPowerOff = errors.New("the power is off")

// TestSeededPowerCuts has two logs written to by chance and the power cut by
// chance, also while the logs are recovered from the cut before. After each
// nothing that was promised is missing, and nothing is there that was not
// written.
func TestSeededPowerCuts(t *testing.T) {
	for seed := *firstSeed; seed < *firstSeed+*cutSeeds; seed++ {
		newSeeded(t, seed).run()
	}
}

// seeded is a disk and the broker that lives on it, until the power goes.
type seeded struct {
	t      *testing.T
	seed   uint64
	random *rand.Rand
	config storage.Config
	models []*logModel
	// serial makes every batch another one.
	serial int
	// history is what was done, for who reads of a failure.
	history []string

	disk   *vfs.Mem
	engine *engine
	clock  *clock.Fake
	// left is how many operations there will be until the cut, how is what the
	// cut leaves, and survivor is it once the cut has come.
	left     int
	how      vfs.Persistence
	survivor *vfs.Mem
	// looking is set while the logs are looked at, which no cut hits.
	looking bool
}

func newSeeded(t *testing.T, seed uint64) *seeded {
	s := &seeded{t: t, seed: seed, random: rand.New(rand.NewPCG(seed, 4)), disk: vfs.NewMem(), config: small()}
	s.config.Preallocate = s.random.IntN(4) == 0
	require.NoError(t, s.disk.MkdirAll("/data", 0o755))
	require.NoError(t, s.disk.SyncDir("/"))
	for partition := range int32(2) {
		s.models = append(s.models, newModel(storage.ID{Topic: "orders", TopicID: [16]byte{1}, Partition: partition}))
	}
	return s
}

func (s *seeded) run() {
	defer func() {
		if s.t.Failed() {
			s.t.Logf("seed %d:\n%s\nrepeat it with: go test ./plugins/storage/segment -run TestSeededPowerCuts -args -seeds 1 -seed %d",
				s.seed, strings.Join(s.history[max(0, len(s.history)-60):], "\n"), s.seed)
		}
	}()
	for range lives {
		s.live()
	}
	s.end()
}

// live goes on until the power is cut, which may be before the logs are open.
func (s *seeded) live() {
	s.left = s.random.IntN(400)
	if s.random.IntN(4) == 0 {
		s.left = s.random.IntN(25)
	}
	s.how = powerCuts[s.random.IntN(len(powerCuts))]
	if s.config.Preallocate && s.how == vfs.KeepPrefix {
		// A file whose size stays is never torn inside a sector.
		s.how = vfs.KeepSubset
	}
	s.did("life in which %d operations and persistence %d are left", s.left, s.how)
	s.start()
	for s.survivor == nil {
		s.step()
	}
	if d, err := s.engine.directory("/data"); err == nil {
		require.NoError(s.t, d.lock.Close())
	}
	s.disk, s.survivor = s.survivor, nil
}

// end has the last cut recovered from, and the logs stopped and started.
func (s *seeded) end() {
	s.left = 1 << 30
	s.start()
	for range 20 {
		s.step()
	}
	s.unmount()
	s.start()
}

func (s *seeded) did(format string, args ...any) {
	s.history = append(s.history, fmt.Sprintf(format, args...))
}

// must reports whether the operation was done; it was not if the power is off.
func (s *seeded) must(err error) bool {
	s.t.Helper()
	if s.survivor != nil {
		return false
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return true
}

func (s *seeded) inject(op vfs.Op) error {
	reads := op.Kind == vfs.OpRead || op.Kind == vfs.OpStat || op.Kind == vfs.OpReadDir
	if s.survivor == nil && !reads && !s.looking {
		if s.left--; s.left < 0 {
			s.did("power cut before %+v", op)
			s.survivor = s.crash()
		}
	}
	if s.survivor != nil && !s.looking {
		return errPowerOff
	}
	return nil
}

// crash returns the disk as it is now found. A killed process leaves it as it
// is, with what was not synced still to be lost by a later cut.
func (s *seeded) crash() *vfs.Mem {
	if s.how == vfs.KeepAll {
		return s.disk
	}
	return s.disk.CrashClone(s.how, s.random.Uint64())
}

// start mounts the directory and opens the logs.
func (s *seeded) start() {
	s.clock = clock.NewFake(time.UnixMilli(1_000_000))
	s.engine = newEngine(module.Env{Clock: s.clock, FS: vfs.WithFaults(s.disk, s.inject), Node: 1, Seed: 7}, Defaults())
	mounted, err := s.engine.Mount(s.t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
	if !s.must(err) {
		return
	}
	for _, m := range s.models {
		at := slices.IndexFunc(mounted.Logs, func(id storage.ID) bool { return id.Partition == m.id.Partition })
		switch {
		case at < 0 && m.removing:
			s.forget(m)
		case at >= 0 && mounted.Logs[at].TopicID != m.id.TopicID && (m.founded || mounted.Logs[at].TopicID != [16]byte{}):
			s.t.Fatalf("log of topic id %x is there, want %x", mounted.Logs[at].TopicID, m.id.TopicID)
		}
		m.removing = false
		if !s.open(m) {
			return
		}
	}
}

// open opens a log and looks at what is in it.
func (s *seeded) open(m *logModel) bool {
	log, _, err := s.engine.Open(s.t.Context(), storage.Open{Dir: "/data", ID: m.id, Config: s.config})
	if !s.must(err) {
		return false
	}
	m.log = log
	for _, segment := range log.(*partitionLog).segments {
		if len(segment.damage) > 0 {
			s.t.Fatalf("partition %d: damage %v", m.id.Partition, segment.damage)
		}
	}
	s.looking = true
	f := s.find(log)
	s.looking = false
	s.did("partition %d is %+v, epochs %v", m.id.Partition, f.bounds, f.epochs)
	if err := m.check(f); err != nil {
		s.t.Fatalf("partition %d: %v", m.id.Partition, err)
	}
	return true
}

func (s *seeded) find(log storage.Log) found {
	o := &opened{t: s.t, files: s.disk, log: log}
	f := found{bounds: o.bounds()}
	f.content = o.content(f.bounds.Start)
	var err error
	if f.epochs, err = log.Epochs(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if f.hard, err = log.LoadHard(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	for upTo := int64(1 << 60); ; {
		offset, state, ok, err := log.LoadState(s.t.Context(), upTo)
		if err != nil {
			s.t.Fatal(err)
		}
		if !ok {
			return f
		}
		f.states = append(f.states, foundState{offset, state})
		upTo = offset - 1
	}
}

// forget has the model of a log that is gone be that of another topic's.
func (s *seeded) forget(m *logModel) {
	id := m.id
	id.TopicID[0]++
	*m = *newModel(id)
}
