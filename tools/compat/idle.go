package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	idleWindow     = 10 * time.Second
	idleMaxPercent = 0.5
	idleMaxRSSMiB  = 40
	// ticksPerSecond is what Linux shows to programs, whatever its own HZ.
	ticksPerSecond = 100
)

// idle measures the broker after all that the other scenarios did to it.
func idle(ctx context.Context, s *suite) error {
	before, err := cpuTicks(s.broker.pid())
	if err != nil {
		return err
	}
	select {
	case <-time.After(idleWindow):
	case <-ctx.Done():
		return ctx.Err()
	}
	after, err := cpuTicks(s.broker.pid())
	if err != nil {
		return err
	}
	rss, err := residentMiB(s.broker.pid())
	if err != nil {
		return err
	}
	percent := 100 * float64(after-before) / ticksPerSecond / idleWindow.Seconds()
	fmt.Printf("     idle: %.1f%% of a core over %v, %.1f MiB resident\n", percent, idleWindow, rss)
	if percent > idleMaxPercent || rss > idleMaxRSSMiB {
		return fmt.Errorf("%.1f%% of a core and %.1f MiB; the most is %.1f%% and %d MiB", percent, rss, idleMaxPercent, idleMaxRSSMiB)
	}
	return nil
}

// cpuTicks is the user and system time of a process, fields 14 and 15 of
// /proc/PID/stat (proc(5)).
func cpuTicks(pid int) (int64, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The second field is the name in parentheses and may have spaces in it.
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	user, err := strconv.ParseInt(fields[11], 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	return user + system, err
}

func residentMiB(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for text := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(text, "VmRSS:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(value)[0], 64)
			return kib / 1024, err
		}
	}
	return 0, fmt.Errorf("/proc/%d/status has no VmRSS", pid)
}
