//go:build !linux && !darwin

package kafka

// volumeBytes does not know.
func volumeBytes(string) (total, usable int64) { return -1, -1 }
