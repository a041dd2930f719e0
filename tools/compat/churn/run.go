package churn

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"odradek.dev/tools/compat/admin"
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
		return s.crash(ctx)
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

// crash has the ledgers know from which offsets on the records are new.
func (s *suite) crash(ctx context.Context) error {
	s.dry(crash)
	if err := s.broker.Kill(); err != nil {
		return err
	}
	at := time.Now().UnixMilli()
	if err := s.broker.Start(ctx); err != nil {
		return err
	}
	return admin.Ask(s.broker.Addr, func(client *kadm.Client) error {
		ends, err := endOffsets(ctx, client)
		if err != nil {
			return err
		}
		for _, l := range s.ledgers {
			l.restarted(at, ends)
		}
		return nil
	})
}

// dry has the ledgers know that no more records come.
func (s *suite) dry(because action) {
	for _, l := range s.ledgers {
		l.did(time.Now().UnixMilli(), because, "", "")
	}
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
