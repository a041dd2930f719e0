package wire

import (
	"context"
	"slices"
	"sync"

	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// journal notes what becomes of the modules, in order.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) note(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

func (j *journal) all() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]string{}, j.lines...)
}

// lived notes the start and the stop of a module.
type lived struct {
	name    string
	journal *journal
}

func (l lived) Start(context.Context) error { l.journal.note("start " + l.name); return nil }
func (l lived) Stop(context.Context) error  { l.journal.note("stop " + l.name); return nil }

// fakeElection is a log in memory that this broker leads from the start.
type fakeElection struct {
	lived
	mu      sync.Mutex
	entries []election.Entry
	grown   chan struct{}
}

func (e *fakeElection) Append(_ context.Context, epoch int64, data [][]byte) (int64, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, d := range data {
		e.entries = append(e.entries, election.Entry{Index: int64(len(e.entries) + 1), Epoch: epoch, Data: d})
	}
	close(e.grown)
	e.grown = make(chan struct{})
	return int64(len(e.entries)), nil
}

func (e *fakeElection) Follow(ctx context.Context, f election.Follow) (election.Update, error) {
	leads := election.Leadership{Leader: 1, Epoch: 1}
	for {
		e.mu.Lock()
		entries, grown := e.entries[f.After:], e.grown
		e.mu.Unlock()
		if len(entries) > 0 || f.Leadership != leads {
			return election.Update{Leadership: leads, Entries: entries, Committed: f.After + int64(len(entries))}, nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return election.Update{}, ctx.Err()
		}
	}
}

func (e *fakeElection) SaveSnapshot(context.Context, int64, []byte) error { return nil }

func (e *fakeElection) Status(context.Context) (election.Status, error) {
	return election.Status{}, nil
}

// fakeEngine takes directories, unless it is told not to, and has no logs.
type fakeEngine struct {
	lived
	refuse error
}

func (e *fakeEngine) Mount(_ context.Context, m storage.Mount) (storage.Mounted, error) {
	e.journal.note("mount " + m.Dir)
	return storage.Mounted{}, e.refuse
}

func (e *fakeEngine) Unmount(_ context.Context, dir string) error {
	e.journal.note("unmount " + dir)
	return nil
}

func (e *fakeEngine) Open(context.Context, storage.Open) (storage.Log, storage.Recovery, error) {
	return nil, storage.Recovery{}, module.Fatalf("no logs here")
}

func (e *fakeEngine) Remove(context.Context, string, storage.ID) error { return nil }

func (e *fakeEngine) SaveHighWatermarks(context.Context, string, []storage.HighWatermark) error {
	return nil
}

type fakeStrategy struct{ lived }

func (fakeStrategy) Contract() replication.Contract { return replication.Contract{} }

func (fakeStrategy) Open(context.Context, replication.Start) (replication.Machine, error) {
	return nil, module.Fatalf("no machines here")
}

func (fakeStrategy) Elect(_ context.Context, r replication.Record, _ replication.Liveness) (replication.Record, error) {
	return r, nil
}

// constant puts every record into one partition.
type constant struct {
	lived
	to int32
}

func (c constant) Assign(_ context.Context, b partitioner.Batch) ([]int32, error) {
	return slices.Repeat([]int32{c.to}, b.Keys.Len()), nil
}

// wholeModules is a distribution that makes a broker.
func wholeModules(j *journal, mountError error) []module.Factory {
	of := func(name string) lived { return lived{name, j} }
	none := func() module.NoSettings { return module.NoSettings{} }
	d := func(name string) module.Descriptor { return module.Descriptor{Name: name, Version: "1.0.0"} }
	return []module.Factory{
		storage.Module(d("segment"), none, func(module.Env, module.NoSettings) (storage.Engine, error) {
			return &fakeEngine{of("storage"), mountError}, nil
		}),
		election.Module(d("raft"), none, func(module.Env, module.NoSettings) (election.Election, error) {
			return &fakeElection{lived: of("election"), grown: make(chan struct{})}, nil
		}),
		replication.Module(d("isr"), none, func(module.Env, module.NoSettings) (replication.Strategy, error) {
			return fakeStrategy{of("replication")}, nil
		}),
		partitioner.Module(d("zero"), none, func(module.Env, module.NoSettings) (partitioner.Partitioner, error) {
			return constant{of("partitioner"), 0}, nil
		}),
	}
}
