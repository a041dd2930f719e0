package fetchsession

import "math"

// Epochs of a fetch that is not within a session. Both name all partitions,
// and end the session whose id they carry.
const (
	// FinalEpoch goes without a session.
	FinalEpoch int32 = -1
	// InitialEpoch begins one.
	InitialEpoch int32 = 0
)

// None is the id of no session.
const None int32 = 0

// IsFull says whether a fetch of this epoch names all its partitions.
func IsFull(epoch int32) bool { return epoch == InitialEpoch || epoch == FinalEpoch }

// next is the epoch after that of a session. It never is InitialEpoch again.
func next(epoch int32) int32 {
	if epoch == math.MaxInt32 {
		return 1
	}
	return epoch + 1
}
