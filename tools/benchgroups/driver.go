package main

import (
	"syscall"
	"time"
)

// driver adds up what this process, which drives the brokers, takes of the
// machine while something is measured: what it takes, the broker cannot have.
type driver struct{ used, passed time.Duration }

// watch counts until its result is called.
func (d *driver) watch() (stop func()) {
	before, began := ownCPU(), time.Now()
	return func() {
		d.used += ownCPU() - before
		d.passed += time.Since(began)
	}
}

// cores is how many it has taken on average.
func (d *driver) cores() float64 {
	if d.passed == 0 {
		return 0
	}
	return d.used.Seconds() / d.passed.Seconds()
}

func ownCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0 // it fails for no argument that is right
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
