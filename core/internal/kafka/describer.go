package kafka

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// describer describes topics of one image to clients of one listener.
type describer struct {
	image    *metadata.Image
	listener string
}

func (d *describer) describePartition(number int32, p *metadata.Partition, out *kmsg.MetadataResponseTopicPartition) {
	out.Partition = number
	out.Leader, out.LeaderEpoch = p.Record.Leader, p.Record.LeaderEpoch
	out.Replicas, out.ISR = p.Record.Replicas, p.Record.InSync
	for _, id := range p.Record.Replicas {
		if !d.isLive(id) {
			out.OfflineReplicas = append(out.OfflineReplicas, id)
		}
	}
	if out.Leader < 0 || !d.isLive(out.Leader) {
		// The epoch stays what it was: one that a client has seen never goes
		// back, also not to -1.
		out.Leader, out.ErrorCode = -1, kerr.LeaderNotAvailable.Code
	}
}

// isLive: clients of the listener can reach the broker.
func (d *describer) isLive(id int32) bool {
	_, _, ok := brokerAt(d.image, d.listener, id)
	return ok
}

// whyMissing is the error of a topic that is not there: one that cannot be
// there has its own.
func whyMissing(name string) int16 {
	if refused := metadata.CheckTopicName(name); refused != nil {
		return refused.Code()
	}
	return kerr.UnknownTopicOrPartition.Code
}
