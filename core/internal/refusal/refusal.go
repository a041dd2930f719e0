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
	// Records are the records of a batch that are wrong, in their order; empty
	// if it is the batch, or if there is none.
	Records []Record
}

// Record is what is wrong with one record.
type Record struct {
	// Index counts the records of the batch from 0.
	Index   int32
	Message string
}

// New refuses a request or a part of it as a whole.
func New(kind *kerr.Error, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// AtRecords refuses a batch for some of its records.
func AtRecords(kind *kerr.Error, records []Record, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Message: fmt.Sprintf(format, args...), Records: records}
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
