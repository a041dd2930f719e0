package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"odradek.dev/tools/internal/contestant"
	"odradek.dev/tools/internal/procstat"
)

// workload is one measurement.
type workload struct {
	name     string
	what     string
	conns    int
	inFlight int
	// batch is the records in one request, size the bytes of a value.
	batch, size int
	fetch       bool
}

var workloads = []workload{
	{name: "produce-64", what: "64 records of 1 KiB a request, 4 connections, 5 in flight", conns: 4, inFlight: 5, batch: 64, size: 1024},
	{name: "produce-1", what: "1 record of 1 KiB a request, 6 connections, 5 in flight", conns: 6, inFlight: 5, batch: 1, size: 1024},
	{name: "latency-1", what: "1 record of 1 KiB, one connection, one in flight", conns: 1, inFlight: 1, batch: 1, size: 1024},
	{name: "latency-64", what: "1 record of 1 KiB, 64 connections, one in flight", conns: 64, inFlight: 1, batch: 1, size: 1024},
	{name: "fetch", what: "fetches of 1 MiB a partition, 3 connections", conns: 3, inFlight: 1, batch: 64, size: 1024, fetch: true},
}

// partitions is how many a workload's topic has.
const partitions = 6

func (w workload) topic() string { return "bench-" + w.name }

// result is what one measurement gave.
type result struct {
	elapsed  time.Duration
	cpu      time.Duration
	requests int64
	records  int64
	bytes    int64
	p50, p99 time.Duration
}

func (r result) recordsPerSecond() float64 { return float64(r.records) / r.elapsed.Seconds() }
func (r result) megabytesPerSecond() float64 {
	return float64(r.bytes) / 1e6 / r.elapsed.Seconds()
}
func (r result) cpuPerGB() float64      { return r.cpu.Seconds() / (float64(r.bytes) / 1e9) }
func (r result) cpuPerRequest() float64 { return float64(r.cpu.Microseconds()) / float64(r.requests) }

func (r result) String() string {
	return fmt.Sprintf("%9.0f records/s %7.0f MB/s  %5.2f s/GB  %6.1f us/request  p50 %v  p99 %v",
		r.recordsPerSecond(), r.megabytesPerSecond(), r.cpuPerGB(), r.cpuPerRequest(), r.p50.Round(time.Microsecond), r.p99.Round(time.Microsecond))
}

const warmUp = 2 * time.Second

// measure runs the workload's connections, lets them warm up, and counts what
// they do while it lasts.
func (w workload) measure(ctx context.Context, p *contestant.Process, lasting time.Duration) (result, error) {
	if w.fetch {
		if err := fillTopic(ctx, p.Addr, w); err != nil {
			return result{}, err
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	meters := make([]*meter, w.conns)
	errs := make([]error, w.conns)
	var done sync.WaitGroup
	for i := range w.conns {
		meters[i] = &meter{}
		done.Go(func() {
			if errs[i] = w.drive(ctx, p.Addr, int32(i%partitions), meters[i]); errs[i] != nil {
				stop()
			}
		})
	}
	wait(ctx, warmUp)
	for _, m := range meters {
		m.reset()
	}
	cpuBefore, err := procstat.CPU(p.PID())
	began := time.Now()
	wait(ctx, lasting)
	total := collect(meters)
	total.elapsed = time.Since(began)
	cpuAfter, err2 := procstat.CPU(p.PID())
	total.cpu = cpuAfter - cpuBefore
	stop()
	done.Wait()
	return total, errors.Join(append(errs, err, err2)...)
}

func (w workload) drive(ctx context.Context, addr string, partition int32, m *meter) error {
	if w.fetch {
		return driveFetch(ctx, addr, w, partition, m)
	}
	return driveProduce(ctx, addr, w, partition, m)
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// meter counts the answers of one connection.
type meter struct {
	mu        sync.Mutex
	requests  int64
	records   int64
	bytes     int64
	latencies []time.Duration
}

func (m *meter) add(records, bytes int64, latency time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests++
	m.records += records
	m.bytes += bytes
	m.latencies = append(m.latencies, latency)
}

func (m *meter) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests, m.records, m.bytes, m.latencies = 0, 0, 0, m.latencies[:0]
}

func collect(meters []*meter) result {
	var r result
	var latencies []time.Duration
	for _, m := range meters {
		m.mu.Lock()
		r.requests += m.requests
		r.records += m.records
		r.bytes += m.bytes
		latencies = append(latencies, m.latencies...)
		m.mu.Unlock()
	}
	if len(latencies) > 0 {
		slices.Sort(latencies)
		r.p50, r.p99 = latencies[len(latencies)/2], latencies[len(latencies)*99/100]
	}
	return r
}
