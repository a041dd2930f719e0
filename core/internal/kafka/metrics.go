package kafka

import "time"

// Metrics is told about the traffic. Its methods are called on the hot path
// and must neither block nor allocate. Safe for concurrent use.
type Metrics interface {
	// Request is called once for each request, when its answer has been handed
	// over for writing, or when it is known that there will be none.
	Request(o Observation)
	ConnectionOpened(listener string)
	ConnectionClosed(listener string)
	// ConnectionRefused is called for a connection that the broker closes for
	// what its client does; the cause is one of few words.
	ConnectionRefused(listener, cause string)
	// AcceptBlocked is called when a limit has kept the listener from taking a
	// connection for a while.
	AcceptBlocked(listener string, d time.Duration)
}

// Observation is one request that is over.
type Observation struct {
	Key int16
	// BytesIn and BytesOut are the frames with their length fields.
	BytesIn, BytesOut int64
	// Duration is from the moment the whole request was there, and so has in
	// it the time that a fetch was parked.
	Duration time.Duration

	began time.Time
}

type noMetrics struct{}

func (noMetrics) Request(Observation)     {}
func (noMetrics) ConnectionOpened(string) {}
func (noMetrics) ConnectionClosed(string) {}

func (noMetrics) ConnectionRefused(string, string) {}

func (noMetrics) AcceptBlocked(string, time.Duration) {}
