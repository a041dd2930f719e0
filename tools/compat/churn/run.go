package churn

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// happen carries the schedule out.
func (s *suite) happen(ctx context.Context) error {
	began := time.Now()
	for i, m := range s.schedule {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(m.at - time.Since(began)):
		}
		if err := s.do(ctx, m); err != nil {
			return fmt.Errorf("%w\nseed %d had led to this by:\n%s", err, s.Seed, story(s.schedule[:i+1]))
		}
	}
	return nil
}

func story(schedule []moment) string {
	var lines strings.Builder
	for _, m := range schedule {
		fmt.Fprintln(&lines, m)
	}
	return lines.String()
}

func (s *suite) do(ctx context.Context, m moment) error {
	switch m.action {
	case crash:
		return errors.Join(s.broker.Kill(), s.broker.Start(ctx))
	case join:
		// The process ends with the suite, not with the scenario.
		command := s.libraries.command(context.WithoutCancel(ctx), m.library, s.broker.Addr, m.group)
		one, err := startMember(m.member, m.library, command, s.ledgers[m.group])
		if err == nil {
			s.running[m.member] = one
		}
		return err
	}
	one := s.running[m.member]
	if m.action == leave || m.action == kill {
		delete(s.running, m.member)
		s.leaving = append(s.leaving, one)
	}
	return one.do(m.action)
}

// endMembers leaves no process behind.
func (s *suite) endMembers() {
	for _, m := range s.running {
		m.end()
	}
	for _, m := range s.leaving {
		m.end()
	}
}
