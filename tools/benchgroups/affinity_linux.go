package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// affinity is the ways to divide the cores of the machine between the driver and
// what it drives.
type affinity struct{ all, own, rest unix.CPUSet }

// newAffinity has the last core that this process may use be the driver's own. If
// that is the only one, it is everybody's.
func newAffinity() (*affinity, error) {
	a := &affinity{}
	if err := unix.SchedGetaffinity(0, &a.all); err != nil {
		return nil, os.NewSyscallError("sched_getaffinity", err)
	}
	a.rest = a.all
	last, left := 0, a.all.Count()
	for ; left > 0; last++ {
		if a.all.IsSet(last) {
			left--
		}
	}
	last--
	a.own.Set(last)
	if a.rest.Clear(last); a.rest.Count() == 0 {
		a.rest = a.all
	}
	return a, nil
}

// together has this process and others run on all cores.
func (a *affinity) together(others []int) error { return bindAll(others, &a.all, &a.all) }

// apart has this process run on a core of its own, and others on the rest.
func (a *affinity) apart(others []int) error { return bindAll(others, &a.rest, &a.own) }

func bindAll(others []int, theirs, own *unix.CPUSet) error {
	failures := bind(os.Getpid(), own)
	for _, pid := range others {
		failures = errors.Join(failures, bind(pid, theirs))
	}
	return failures
}

// bind has all threads of a process run on some cores. One that begins meanwhile
// has those of the thread that began it, so they are looked for until none is new.
func bind(pid int, cores *unix.CPUSet) error {
	bound := make(map[int]bool)
	for {
		threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		if err != nil {
			return err
		}
		before := len(bound)
		for _, thread := range threads {
			id, err := strconv.Atoi(thread.Name())
			if err != nil {
				return err
			}
			if bound[id] {
				continue
			}
			if err := unix.SchedSetaffinity(id, cores); err != nil && !errors.Is(err, unix.ESRCH) {
				return os.NewSyscallError("sched_setaffinity", err)
			}
			bound[id] = true
		}
		if len(bound) == before {
			return nil
		}
	}
}
