package isr

import (
	"context"
	"slices"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// Strategy is made by [New].
type Strategy struct{ config Config }

// New returns the strategy with settings that are valid.
func New(c Config) *Strategy { return &Strategy{config: c} }

// Contract depends on flush.before.ack.
func (s *Strategy) Contract() replication.Contract {
	c := replication.Contract{
		Tolerates: "min.insync.replicas less one machines lost at once, and any number of killed processes",
		AckMeans:  "acks=all: every in-sync replica has it, and they are at least min.insync.replicas; acks=1: the leader has it",
		ReadMeans: "what every in-sync replica had at some moment",
	}
	if s.config.FlushBeforeAck {
		c.NeedsFsync = true
		c.Tolerates = "min.insync.replicas less one disks lost, and any number of killed processes and power cuts"
		c.AckMeans = "acks=all: every in-sync replica has it on its disk, and they are at least min.insync.replicas; acks=1: the leader has it in memory"
		c.ReadMeans = "what every in-sync replica had on its disk at some moment"
	}
	return c
}

// Open makes the machine of one replica. It takes its role in its first step.
func (s *Strategy) Open(_ context.Context, start replication.Start) (replication.Machine, error) {
	if err := checkStart(start); err != nil {
		return nil, err
	}
	m := &Machine{
		self:    start.Self,
		config:  s.config,
		record:  clone(start.Record),
		log:     openLog(start.Log),
		sealed:  -1,
		session: start.Seed,
	}
	m.hw = m.log.start
	return m, m.restoreHard(start.Hard)
}

func checkStart(start replication.Start) error {
	switch r := start.Record; {
	case !slices.Contains(r.Replicas, start.Self):
		return module.Invalidf("node %d is not one of the partition's replicas %v", start.Self, r.Replicas)
	case start.Log.Start < 0 || start.Log.End < start.Log.Start:
		return module.Invalidf("the log is from %d to %d", start.Log.Start, start.Log.End)
	default:
		return checkRecord(r)
	}
}

func checkRecord(r replication.Record) error {
	if len(r.Replicas) == 0 {
		return module.Invalidf("the partition's record names no replicas")
	}
	for i, id := range r.Replicas {
		if slices.Contains(r.Replicas[:i], id) {
			return module.Invalidf("replica %d is named twice in %v", id, r.Replicas)
		}
	}
	for i, id := range r.InSync {
		if slices.Contains(r.InSync[:i], id) || !slices.Contains(r.Replicas, id) {
			return module.Invalidf("in-sync replicas %v are not a part of the replicas %v", r.InSync, r.Replicas)
		}
	}
	return nil
}

// clone keeps a record from changing under its new owner.
func clone(r replication.Record) replication.Record {
	r.Replicas = slices.Clone(r.Replicas)
	r.InSync = slices.Clone(r.InSync)
	r.Opaque = slices.Clone(r.Opaque)
	return r
}
