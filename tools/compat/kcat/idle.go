package kcat

import (
	"context"
	"fmt"
	"time"

	"odradek.dev/tools/internal/procstat"
)

const (
	idleWindow     = 10 * time.Second
	idleMaxPercent = 0.5
	idleMaxRSSMiB  = 40
)

// idle measures the broker after all that the other scenarios did to it.
func (s *suite) idle(ctx context.Context) error {
	pid := s.broker.PID()
	before, err := procstat.CPU(pid)
	if err != nil {
		return err
	}
	select {
	case <-time.After(idleWindow):
	case <-ctx.Done():
		return ctx.Err()
	}
	after, err := procstat.CPU(pid)
	if err != nil {
		return err
	}
	rss, err := procstat.ResidentMiB(pid)
	if err != nil {
		return err
	}
	percent := 100 * (after - before).Seconds() / idleWindow.Seconds()
	fmt.Printf("     idle: %.1f%% of a core over %v, %.1f MiB resident\n", percent, idleWindow, rss)
	if percent > idleMaxPercent || rss > idleMaxRSSMiB {
		return fmt.Errorf("%.1f%% of a core and %.1f MiB; the most is %.1f%% and %d MiB", percent, rss, idleMaxPercent, idleMaxRSSMiB)
	}
	return nil
}
