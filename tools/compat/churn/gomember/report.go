package main

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"odradek.dev/tools/compat/churn/event"
)

// reporter writes events, a line each. Safe for concurrent use.
type reporter struct {
	mu  sync.Mutex
	out io.Writer
}

func (r *reporter) report(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.At = time.Now().UnixMilli()
	line, err := json.Marshal(e)
	if err == nil {
		_, err = r.out.Write(append(line, '\n'))
	}
	if err != nil {
		panic(err) // nobody listens: what this member does would be unseen
	}
}

func (r *reporter) failed(err error) { r.report(event.Event{Kind: event.Failed, Error: err.Error()}) }

// records reports processed offsets, a line for each run without a gap.
func (r *reporter) records(partition int32, offsets []int64) {
	for from := 0; from < len(offsets); {
		to := from
		for to+1 < len(offsets) && offsets[to+1] == offsets[to]+1 {
			to++
		}
		r.report(event.Event{Kind: event.Records, Partition: partition, First: offsets[from], Last: offsets[to]})
		from = to + 1
	}
}

// commit reports a commit before and, if it succeeds, after it.
func (r *reporter) commit(offsets map[int32]int64, commit func() error) {
	for partition, offset := range offsets {
		r.report(event.Event{Kind: event.Committing, Partition: partition, Offset: offset})
	}
	if err := commit(); err != nil {
		r.failed(err)
		return
	}
	for partition, offset := range offsets {
		r.report(event.Event{Kind: event.Committed, Partition: partition, Offset: offset})
	}
}
