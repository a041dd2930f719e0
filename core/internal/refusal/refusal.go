// Package refusal is how the broker says no to a client: a code of the Kafka
// protocol, and words that name what is wrong and how to mend it.
package refusal

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
)

// Refusal is an answer of no. It is never changed once it is made, so that one
// may be handed out again and again. A nil Refusal is a yes.
type Refusal struct {
	Kind    *kerr.Error
	Message string
	// Record is the index in its batch of the record that is wrong, -1 if it
	// is the batch, or if there is none.
	Record int32
}

// New refuses a request or a part of it as a whole.
func New(kind *kerr.Error, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Message: fmt.Sprintf(format, args...), Record: -1}
}

// AtRecord refuses a batch for one of its records.
func AtRecord(kind *kerr.Error, record int32, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Message: fmt.Sprintf(format, args...), Record: record}
}

func (r *Refusal) Error() string { return r.Kind.Message + ": " + r.Message }

// Code is the protocol's, 0 where nothing was refused.
func (r *Refusal) Code() int16 {
	if r == nil {
		return 0
	}
	return r.Kind.Code
}

// Outcome is the code and the message of an answer; the message is null where
// nothing was refused.
func (r *Refusal) Outcome() (code int16, message *string) {
	if r == nil {
		return 0, nil
	}
	return r.Kind.Code, &r.Message
}
