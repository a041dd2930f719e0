package kafka

import "math"

// The operations of the access control lists, as bits. There are none yet, so
// that everybody may do all that there is.
const (
	topicOperations   = 1<<3 | 1<<4 | 1<<5 | 1<<6 | 1<<7 | 1<<8 | 1<<10 | 1<<11
	clusterOperations = 1<<5 | 1<<7 | 1<<8 | 1<<9 | 1<<10 | 1<<11 | 1<<12
	groupOperations   = 1<<3 | 1<<6 | 1<<8 | 1<<10 | 1<<11
	// unaskedOperations is said to those who did not ask.
	unaskedOperations = math.MinInt32
)

// allowedOnGroup is what the caller may do with a group, if it asked.
func allowedOnGroup(asked bool) int32 {
	if asked {
		return groupOperations
	}
	return unaskedOperations
}
