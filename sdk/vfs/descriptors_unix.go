//go:build unix

package vfs

import "syscall"

// DescriptorLimit is how many descriptors this process may have, 0 for no limit
// that is known. Go has raised it to the hard limit at the start.
func DescriptorLimit() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return uint64(limit.Cur)
}
