package metadata

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
)

// Failure is an error as a client gets it: a code of the Kafka protocol and
// words that name what is wrong.
type Failure struct {
	Code    int16
	Message string
}

func (f *Failure) Error() string { return f.Message }

// Failf makes a failure with the code of a protocol error.
func Failf(kind *kerr.Error, format string, args ...any) *Failure {
	return &Failure{Code: kind.Code, Message: fmt.Sprintf(format, args...)}
}

func unknownTopic(name string) *Failure {
	return Failf(kerr.UnknownTopicOrPartition, "there is no topic %q", name)
}
