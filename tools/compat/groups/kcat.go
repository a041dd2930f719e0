package groups

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// startKcat runs a kcat for each member, which leaves on SIGTERM. It has the
// classic protocol only.
func startKcat(ctx context.Context, path string) start {
	return func(s seat) (func() error, error) {
		var leaves []func() error
		for member := range s.members {
			cmd := exec.CommandContext(ctx, path, "-b", s.addr, "-G", s.group, "-q", "-u", "-X", "auto.offset.reset=earliest",
				"-f", strconv.Itoa(member)+" %p %o\n", s.topic)
			quit := func() error { return cmd.Process.Signal(syscall.SIGTERM) }
			leave, err := s.follow(cmd, quit)
			if err != nil {
				return nil, err
			}
			leaves = append(leaves, leave)
		}
		return together(leaves), nil
	}
}
