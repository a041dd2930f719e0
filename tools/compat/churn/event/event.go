// Package event is what a member of a group tells of itself, one line of JSON
// for each thing that happens to it. Members of every language write the same
// lines.
package event

// The kinds of an [Event].
const (
	// Assigned: the member may consume these partitions now, besides those that
	// it has. Its generation, or member epoch, is the one of the assignment.
	Assigned = "assigned"
	// Revoked: the member is about to give these partitions up.
	Revoked = "revoked"
	// Lost: the member hears that these partitions have not been its own for a
	// while.
	Lost = "lost"
	// Records: the member has processed the records from First to Last.
	Records = "records"
	// Committing: the member is about to commit Offset.
	Committing = "committing"
	// Committed: the broker has answered that Offset is committed.
	Committed = "committed"
	// Failed: the library has reported an error, after which it goes on.
	Failed = "failed"
)

// Event is one line.
type Event struct {
	Kind string `json:"event"`
	// At is when the member wrote the line, in Unix milliseconds.
	At int64 `json:"at"`

	Member     string  `json:"member,omitempty"`
	Generation int32   `json:"generation,omitempty"`
	Partitions []int32 `json:"partitions,omitempty"`

	Partition int32 `json:"partition"`
	// First and Last are offsets.
	First  int64 `json:"first,omitempty"`
	Last   int64 `json:"last,omitempty"`
	Offset int64 `json:"offset,omitempty"`

	Error string `json:"error,omitempty"`
}
