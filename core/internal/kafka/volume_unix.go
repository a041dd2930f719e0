//go:build linux || darwin

package kafka

import "syscall"

// volumeBytes is the size of the volume that a path is on, and what an ordinary
// user may still write to it; -1 if that cannot be known, as with a directory
// that is in memory only.
func volumeBytes(path string) (total, usable int64) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return -1, -1
	}
	block := int64(s.Bsize)
	return int64(s.Blocks) * block, int64(s.Bavail) * block
}
