package spawn

import (
	"fmt"
	"syscall"
)

// attributes puts the child into a process group of its own, out of reach of
// the terminal's signals, and has the kernel kill it when the thread that
// started it ends. The lifeline is the rule; this is for a child that is
// stopped or does not watch it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// verifiedPath names the open file at fd as the child sees it.
func verifiedPath(fd int, _ string) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }
