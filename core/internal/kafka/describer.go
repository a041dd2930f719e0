package kafka

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
)

// describer describes topics of one image to clients of one listener.
type describer struct {
	image    *metadata.Image
	listener string
	// node is this broker, and failed its log directories that are offline. That
	// is not in the image: what a broker knows of its own directories, it tells
	// itself.
	node       int32
	partitions *partition.Registry
	failed     map[string]error
}

func (b *Backend) describer(image *metadata.Image, c *Caller) describer {
	return describer{
		image: image, listener: c.Listener.Name,
		node: b.Config.NodeID, partitions: b.Partitions, failed: b.Partitions.FailedDirectories(),
	}
}

func (d *describer) describePartition(t *metadata.Topic, number int32, out *kmsg.MetadataResponseTopicPartition) {
	p := &t.Partitions[number]
	out.Partition = number
	out.Leader, out.LeaderEpoch = p.Record.Leader, p.Record.LeaderEpoch
	out.Replicas, out.ISR = p.Record.Replicas, p.Record.InSync
	for _, id := range p.Record.Replicas {
		if !d.serves(id, t.ID, number) {
			out.OfflineReplicas = append(out.OfflineReplicas, id)
		}
	}
	if out.Leader < 0 || !d.serves(out.Leader, t.ID, number) {
		// The epoch stays what it was: one that a client has seen never goes
		// back, also not to -1.
		out.Leader, out.ErrorCode = -1, kerr.LeaderNotAvailable.Code
	}
}

// serves: the broker is live, and its replica on a disk that has not failed.
func (d *describer) serves(id int32, topic metadata.TopicID, number int32) bool {
	return d.isLive(id) && !(id == d.node && d.hasFailed(topic, number))
}

func (d *describer) hasFailed(topic metadata.TopicID, number int32) bool {
	if len(d.failed) == 0 {
		return false
	}
	t, ok := d.partitions.TopicByID(topic)
	if !ok {
		return false
	}
	p, _ := t.Partition(number)
	return p != nil && d.failed[p.Dir()] != nil
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
