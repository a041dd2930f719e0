package kafka

import (
	"context"
	"math"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/election"
)

// describeQuorumAPI is DescribeQuorum (KIP-595): who decides about the metadata
// log, and how far it has come.
//
//	v1 when a replica last fetched and had caught up (KIP-836)
//	v2 messages, which are empty and not null where there is none; directory
//	   ids and endpoints of the voters (KIP-853)
//
// Clients know the log as partition 0 of a topic, metadata.LogTopic, which
// Metadata does not list. The first entry of the election module's log has the index 1
// and stands at offset 0, so that the last index is the high watermark. There
// is no id of a directory: where the log lies is the module's own affair. The
// endpoints of a voter are those of the broker, since any broker takes changes.
func describeQuorumAPI() *api {
	return decoded(api{key: 55, name: "DescribeQuorum", min: 0, max: 2, flexibleFrom: 0}, describeQuorum,
		`topics:[name:string partitions:[index:int32]]`)
}

func describeQuorum(ctx context.Context, b *Backend, _ *Caller, q *kmsg.DescribeQuorumRequest) *kmsg.DescribeQuorumResponse {
	response := kmsg.NewPtrDescribeQuorumResponse()
	response.ErrorMessage = kmsg.StringPtr("")
	if !asksForTheQuorum(q) {
		response.Topics = noQuorum(q)
		return response
	}
	p := kmsg.NewDescribeQuorumResponseTopicPartition()
	p.ErrorMessage = kmsg.StringPtr("")
	status, err := b.Controller.Quorum(ctx)
	switch {
	case err != nil:
		b.failed("the election module does not say where it stands", "error", err)
		p.ErrorCode, p.ErrorMessage = refusal.New(kerr.UnknownServerError, "the metadata log has failed: %v", err).Outcome()
	case status.Leadership.Leader != b.Config.NodeID:
		p.ErrorCode, p.ErrorMessage = refusal.New(kerr.NotLeaderForPartition, "broker %d is not the controller", b.Config.NodeID).Outcome()
		p.LeaderID, p.LeaderEpoch = status.Leadership.Leader, epochOf(status)
	default:
		b.describeVoters(status, &p)
		response.Nodes = voterNodes(b.Controller.Image(), status)
	}
	topic := kmsg.NewDescribeQuorumResponseTopic()
	topic.Topic = metadata.LogTopic
	topic.Partitions = append(topic.Partitions, p)
	response.Topics = append(response.Topics, topic)
	return response
}

// asksForTheQuorum: the one partition of the metadata log has to be all that is
// asked for.
func asksForTheQuorum(q *kmsg.DescribeQuorumRequest) bool {
	return len(q.Topics) == 1 && q.Topics[0].Topic == metadata.LogTopic &&
		len(q.Topics[0].Partitions) == 1 && q.Topics[0].Partitions[0].Partition == 0
}

// noQuorum refuses everything that was asked for.
func noQuorum(q *kmsg.DescribeQuorumRequest) []kmsg.DescribeQuorumResponseTopic {
	var topics []kmsg.DescribeQuorumResponseTopic
	for _, t := range q.Topics {
		topic := kmsg.NewDescribeQuorumResponseTopic()
		topic.Topic = t.Topic
		for _, asked := range t.Partitions {
			p := kmsg.NewDescribeQuorumResponseTopicPartition()
			p.Partition = asked.Partition
			p.ErrorCode, p.ErrorMessage = refusal.New(kerr.UnknownTopicOrPartition,
				"the quorum is that of partition 0 of %s, and nothing else can be asked for with it", metadata.LogTopic).Outcome()
			topic.Partitions = append(topic.Partitions, p)
		}
		topics = append(topics, topic)
	}
	return topics
}

// describeVoters is asked of the leader. What it has committed, it has; of the
// other voters it is not known how far they are.
func (b *Backend) describeVoters(s election.Status, p *kmsg.DescribeQuorumResponseTopicPartition) {
	p.LeaderID, p.LeaderEpoch, p.HighWatermark = s.Leadership.Leader, epochOf(s), s.Committed
	now := b.Clock.Now().UnixMilli()
	for _, voter := range s.Voters {
		v := kmsg.NewDescribeQuorumResponseTopicPartitionReplicaState()
		v.ReplicaID, v.LogEndOffset = voter, -1
		if voter == s.Leadership.Leader {
			v.LogEndOffset, v.LastFetchTimestamp, v.LastCaughtUpTimestamp = s.Committed, now, now
		}
		p.CurrentVoters = append(p.CurrentVoters, v)
	}
}

// epochOf fits an epoch into what the protocol has for it.
func epochOf(s election.Status) int32 { return int32(min(s.Leadership.Epoch, math.MaxInt32)) }

func voterNodes(image *metadata.Image, s election.Status) []kmsg.DescribeQuorumResponseNode {
	var nodes []kmsg.DescribeQuorumResponseNode
	for _, voter := range s.Voters {
		broker, registered := image.Broker(voter)
		if !registered {
			continue
		}
		node := kmsg.NewDescribeQuorumResponseNode()
		node.NodeID = voter
		for _, at := range broker.Listeners {
			l := kmsg.NewDescribeQuorumResponseNodeListener()
			l.Name, l.Host, l.Port = at.Listener, at.Host, uint16(at.Port)
			node.Listeners = append(node.Listeners, l)
		}
		nodes = append(nodes, node)
	}
	return nodes
}
