package hostile

import (
	"fmt"
	"syscall"
)

// raiseDescriptors lets this process, and the broker that it starts, have
// enough connections.
func raiseDescriptors() error {
	const needed = idles + 1000
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	if limit.Cur >= needed {
		return nil
	}
	if limit.Max < needed {
		return fmt.Errorf("%d descriptors are needed and %d allowed: raise the hard limit (ulimit -Hn)", needed, limit.Max)
	}
	limit.Cur = limit.Max
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
}
