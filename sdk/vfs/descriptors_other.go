//go:build !unix

package vfs

// DescriptorLimit is how many descriptors this process may have, 0 for no limit
// that is known.
func DescriptorLimit() uint64 { return 0 }
