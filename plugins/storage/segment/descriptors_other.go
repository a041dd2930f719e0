//go:build !unix

package segment

// descriptorLimit is how many descriptors this process may have, 0 for no limit
// that is known.
func descriptorLimit() uint64 { return 0 }
