package kafka

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/replication"
)

// planner is a Controller that plans and applies, without a log.
type planner struct {
	image *metadata.Image
	ids   byte
	// next and idsFail are what AllocateProducerID answers.
	next    int64
	idsFail error
	// quorum and quorumFail are what Quorum answers.
	quorum     election.Status
	quorumFail error
	// left is the time that the last call was given.
	left time.Duration
}

func (p *planner) rules() metadata.Rules {
	return metadata.Rules{
		DefaultPartitions: 3, DefaultReplicationFactor: 1, Live: []int32{7},
		Settle: func(overrides map[string]string) (metadata.Settled, error) {
			return metadata.Settled{Strategy: "isr", MinInSync: 1}, config.ValidateTopic(overrides)
		},
		Elect: func(_ context.Context, _ string, r replication.Record, _ replication.Liveness) (replication.Record, error) {
			r.Leader, r.LeaderEpoch = 7, 0
			return r, nil
		},
	}
}

func (p *planner) apply(ctx context.Context, plan metadata.Plan, validateOnly bool) []metadata.TopicResult {
	if deadline, ok := ctx.Deadline(); ok {
		p.left = time.Until(deadline)
	}
	for _, r := range plan.Records {
		if validateOnly {
			break
		}
		next, err := metadata.Apply(p.image, p.image.Index()+1, r)
		if err != nil {
			panic(err)
		}
		p.image = next
	}
	return plan.Results
}

func (p *planner) Image() *metadata.Image { return p.image }

func (p *planner) CreateTopics(ctx context.Context, topics []metadata.NewTopic, validateOnly bool) []metadata.TopicResult {
	for n := range topics {
		p.ids++
		topics[n].ID = metadata.TopicID{15: p.ids}
	}
	return p.apply(ctx, metadata.CreateTopics(ctx, p.image, p.rules(), topics), validateOnly)
}

func (p *planner) DeleteTopics(ctx context.Context, topics []metadata.TopicRef) []metadata.TopicResult {
	return p.apply(ctx, metadata.DeleteTopics(p.image, topics), false)
}

func (p *planner) CreatePartitions(ctx context.Context, topics []metadata.NewPartitions, validateOnly bool) []metadata.TopicResult {
	return p.apply(ctx, metadata.CreatePartitions(ctx, p.image, p.rules(), topics), validateOnly)
}

func (p *planner) AlterConfigs(ctx context.Context, changes []metadata.ConfigChange, validateOnly bool) []*metadata.Failure {
	rules := p.rules()
	rules.Configs = configRules()
	records, failures := metadata.AlterConfigs(p.image, rules, changes)
	p.apply(ctx, metadata.Plan{Records: records}, validateOnly)
	return failures
}

func (p *planner) AllocateProducerID(context.Context) (int64, error) {
	p.next++
	return p.next, p.idsFail
}

func (p *planner) Quorum(context.Context) (election.Status, error) { return p.quorum, p.quorumFail }

// planned is a backend over a planner, with broker 7 registered.
func planned(t *testing.T) (*Backend, *planner) {
	broker := config.Default()
	broker.NodeID = 7
	p := &planner{image: metadata.Empty()}
	self := metadata.Broker{ID: 7, Rack: "r", Listeners: []metadata.Endpoint{
		{Listener: "PLAINTEXT", Host: "outside", Port: 9092}, {Listener: "INTERNAL", Host: "inside", Port: 9093},
	}}
	p.apply(t.Context(), metadata.Plan{Records: append([]metadata.Record{&metadata.ClusterNamed{ClusterID: "cluster"}}, metadata.RegisterBroker(p.image, self)...)}, false)
	return &Backend{Config: &broker, Controller: p, Log: hclog.NewNullLogger()}, p
}

func at(version int16) *Caller {
	return &Caller{Version: version, Listener: config.Listener{Name: "PLAINTEXT"}}
}

// overTheWire encodes a response as it is sent, at a version, and reads it as
// a client does.
func overTheWire[R kmsg.Response](t *testing.T, version int16, sent, received R) R {
	t.Helper()
	sent.SetVersion(version)
	received.SetVersion(version)
	require.NoError(t, received.ReadFrom(sent.AppendTo(nil)))
	return received
}

func (p *planner) create(t *testing.T, names ...string) {
	var topics []metadata.NewTopic
	for _, name := range names {
		topics = append(topics, metadata.NewTopic{Name: name, Partitions: 2, ReplicationFactor: 1})
	}
	for _, r := range p.CreateTopics(t.Context(), topics, false) {
		require.Nil(t, r.Failure)
	}
}

var errBroken = errors.New("broken")

func TestOnceEach(t *testing.T) {
	asked := []string{"a", "b", "a", "c", "b", "a"}
	unique, repeated := onceEach(asked, func(s *string) string { return *s })
	require.Len(t, unique, 1)
	require.Equal(t, "c", *unique[0])
	require.Equal(t, []string{"a", "b"}, repeated)
}
