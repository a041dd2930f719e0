package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// consumer is a member of a group until the test ends, or close is called.
type consumer struct {
	*kgo.Client
	assigned chan map[string][]int32
}

func (s session) consumer(group, protocol string, options ...kgo.Opt) consumer {
	s.t.Helper()
	c := consumer{assigned: make(chan map[string][]int32, 16)}
	options = append([]kgo.Opt{
		kgo.SeedBrokers(s.broker.Bootstrap), kgo.ConsumerGroup(group), kgo.ClientID("app"), kgo.DisableAutoCommit(),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client, assigned map[string][]int32) { c.assigned <- assigned }),
	}, options...)
	if protocol == "consumer" {
		options = append(options, kgo.ServerSideBalancer())
	}
	client, err := kgo.NewClient(options...)
	require.NoError(s.t, err)
	s.t.Cleanup(client.Close)
	c.Client = client
	return c
}

// given is what the member gets first: it may be told that there is nothing for
// it as long as others have it.
func (c consumer) given() map[string][]int32 {
	for {
		if assigned := <-c.assigned; len(assigned) > 0 {
			return assigned
		}
	}
}

func (c consumer) commit(t *testing.T, topic string, partition int32, offset int64) {
	t.Helper()
	offsets := map[string]map[int32]kgo.EpochOffset{topic: {partition: {Epoch: -1, Offset: offset}}}
	c.CommitOffsetsSync(t.Context(), offsets, func(_ *kgo.Client, _ *kmsg.OffsetCommitRequest, response *kmsg.OffsetCommitResponse, err error) {
		require.NoError(t, err)
		require.Zero(t, response.Topics[0].Partitions[0].ErrorCode)
	})
}

// consume takes and commits so many records, as a member that then leaves.
func (s session) consume(group, protocol, topic string, records int) {
	s.t.Helper()
	c := s.consumer(group, protocol, kgo.ConsumeTopics(topic))
	for taken := 0; taken < records; {
		fetches := c.PollRecords(s.t.Context(), records-taken)
		require.NoError(s.t, fetches.Err())
		require.NoError(s.t, c.CommitRecords(s.t.Context(), fetches.Records()...))
		taken += fetches.NumRecords()
	}
	c.Close()
}

// newGroupSession has topic orders with 2 partitions of 5 records each.
func newGroupSession(t *testing.T) session {
	s := newSession(t, "group.initial.rebalance.delay.ms=0", "offsets.topic.num.partitions=4",
		"group.consumer.min.heartbeat.interval.ms=10", "group.consumer.heartbeat.interval.ms=50")
	s.must("", "topic", "create", "orders", "--partitions", "2")
	for partition := range 2 {
		c, err := kgo.NewClient(kgo.SeedBrokers(s.broker.Bootstrap), kgo.RecordPartitioner(kgo.ManualPartitioner()))
		require.NoError(t, err)
		for i := range 5 {
			r := &kgo.Record{Topic: "orders", Partition: int32(partition), Value: []byte("v"), Timestamp: time.UnixMilli(int64(1000 * (i + 1)))}
			require.NoError(t, c.ProduceSync(t.Context(), r).FirstErr())
		}
		c.Close()
	}
	return s
}

func TestGroupsOfBothProtocols(t *testing.T) {
	s := newGroupSession(t)
	for _, protocol := range []string{"classic", "consumer"} {
		c := s.consumer(protocol, protocol, kgo.ConsumeTopics("orders"))
		c.given()
		c.commit(t, "orders", 0, 3)
	}
	require.Regexp(t, `(?m)^GROUP +TYPE +STATE +PROTOCOL +COORDINATOR
classic +classic +Stable +consumer +1
consumer +consumer +Stable +consumer +1
$`, s.must("", "group", "list"))
	require.Regexp(t, `^GROUP .*\nconsumer .*\n$`, s.must("", "group", "list", "--type", "consumer"))
	require.Regexp(t, `^GROUP [^\n]*\n$`, s.must("", "group", "list", "--state", "Empty"))

	described := s.must("", "group", "describe", "classic", "consumer")
	require.Regexp(t, `(?m)^group classic, classic, Stable, 1 members, coordinator 1, assignor cooperative-sticky$`, described)
	require.Regexp(t, `(?m)^group consumer, consumer, Stable, 1 members, coordinator 1, assignor uniform, epoch 2, assigned at 2$`, described)
	require.Regexp(t, `(?m)^orders +0 +3 +0 +5 +2 +\S+ +app +127\.0\.0\.1$`, described)
	require.Regexp(t, `(?m)^orders +1 +- +0 +5 +- +\S+ +app +127\.0\.0\.1$`, described)

	members := s.must("", "group", "members", "classic", "consumer")
	require.Regexp(t, `(?m)^classic +\S+ +- +app +127\.0\.0\.1 +- +- +orders +orders:0-1 +-$`, members)
	require.Regexp(t, `(?m)^consumer +\S+ +- +app +127\.0\.0\.1 +- +2 +orders +orders:0-1 +-$`, members)

	lags := decode[struct {
		Lags []struct {
			Group       string
			Members     int
			Partitions  int
			Uncommitted int
			Sum         int64 `json:"lag_sum"`
		}
	}](t, s.must("", "group", "lag", "-o", "json"))
	require.Len(t, lags.Lags, 2)
	for _, l := range lags.Lags {
		require.Equal(t, []any{1, 2, 1, int64(2)}, []any{l.Members, l.Partitions, l.Uncommitted, l.Sum}, l.Group)
	}
	require.Contains(t, s.must("", "group", "lag", "classic", "--topics"), "orders")
	require.Contains(t, s.fails("", "group", "describe", "nobody"), `group "nobody" does not exist`)
}

func TestAConsumerGroupThatIsNotCoordinatedSaysWhatIsMissing(t *testing.T) {
	s := newGroupSession(t)
	for _, group := range []string{"b", "a"} {
		s.consume(group, "consumer", "orders", 1)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(s.broker.Bootstrap))
	require.NoError(t, err)
	defer client.Close()
	q := kmsg.NewPtrUpdateFeaturesRequest()
	update := kmsg.NewUpdateFeaturesRequestFeatureUpdate()
	update.Feature, update.MaxVersionLevel, update.UpgradeType = "group.version", 0, 2
	q.FeatureUpdates = append(q.FeatureUpdates, update)
	answer, err := q.RequestWith(t.Context(), client)
	require.NoError(t, err)
	require.Zero(t, answer.ErrorCode)
	for range 5 {
		require.Equal(t, `group "a" is a consumer group, and its broker 1 does not coordinate such any more: `+
			`have consumer in its group.coordinator.rebalance.protocols, and the feature group.version at level 1`, s.fails("", "group", "describe"))
	}
}

func TestGroupsAreDeleted(t *testing.T) {
	s := newGroupSession(t)
	s.consume("readers", "classic", "orders", 4)
	live := s.consumer("writers", "consumer", kgo.ConsumeTopics("orders"))
	live.given()
	require.Contains(t, s.fails("", "group", "delete", "writers"), `group "writers" has members; stop its consumers first`)
	require.Contains(t, s.fails("", "group", "delete-offsets", "writers", "--topic", "orders"), `its members subscribe to the topic`)
	require.Contains(t, s.fails("", "group", "delete-offsets", "readers", "--topic", "orders:7"), `has no partition 7; it has 0 to 1`)
	require.Contains(t, s.fails("", "group", "delete-offsets", "readers", "--topic", "payments"), `topic "payments" does not exist`)

	require.Regexp(t, `^TOPIC +PARTITION +OFFSET\norders +0 +deleted\n$`, s.must("", "group", "delete-offsets", "readers", "--topic", "orders:0"))
	require.NotRegexp(t, `(?m)^orders +0`, s.must("", "group", "describe", "readers"))
	s.consume("again", "classic", "orders", 4)
	require.Equal(t, "deleted  again\n", s.must("", "group", "delete", "again"))
	require.Contains(t, s.fails("", "group", "delete", "again"), `group "again" does not exist`)
	s.must("", "group", "delete", "again", "--if-exists")
}

// offsets is where a group is in topic orders, by partition.
func (s session) offsets(group string) string {
	document := decode[struct {
		Groups []struct {
			Partitions []struct {
				Partition int32
				Committed *int64
			}
		}
	}](s.t, s.must("", "group", "describe", group, "-o", "json"))
	var all []string
	for _, p := range document.Groups[0].Partitions {
		require.NotNil(s.t, p.Committed)
		all = append(all, fmt.Sprintf("%d:%d", p.Partition, *p.Committed))
	}
	return strings.Join(all, " ")
}

func TestResetPlansFirst(t *testing.T) {
	for _, protocol := range []string{"classic", "consumer"} {
		t.Run(protocol, func(t *testing.T) {
			s := newGroupSession(t)
			s.consume("readers", protocol, "orders", 10)
			require.Equal(t, "0:5 1:5", s.offsets("readers"))

			out, err := s.run("", "group", "reset", "readers", "--topic", "orders", "--to", "earliest")
			require.NoError(t, err)
			require.Regexp(t, `(?m)^readers +orders +0 +5 +0 +-5 +-$`, out.stdout)
			require.Equal(t, "nothing has changed; --execute moves the offsets\n", out.stderr)
			require.Equal(t, "0:5 1:5", s.offsets("readers"), "it was a plan")

			for _, reset := range []struct {
				flags []string
				want  string
			}{
				{[]string{"--topic", "orders:0", "--to", "earliest"}, "0:0 1:5"},
				{[]string{"--topic", "orders", "--to", "2"}, "0:2 1:2"},
				{[]string{"--all-topics", "--shift", "1"}, "0:3 1:3"},
				{[]string{"--all-topics", "--shift", "-100"}, "0:0 1:0"},
				{[]string{"--topic", "orders", "--to", "@3000"}, "0:2 1:2"},
				{[]string{"--topic", "orders", "--to", "1970-01-01T00:00:03.001Z"}, "0:3 1:3"},
				{[]string{"--all-topics", "--to", "@-15m"}, "0:5 1:5"},
				{[]string{"--topic", "orders:1", "--to", "0"}, "0:5 1:0"},
				{[]string{"--all-topics", "--to", "latest"}, "0:5 1:5"},
				{[]string{"--all-topics", "--to", "99"}, "0:5 1:5"},
			} {
				s.must("", append([]string{"group", "reset", "readers", "--execute"}, reset.flags...)...)
				require.Equal(t, reset.want, s.offsets("readers"), "%v", reset.flags)
			}
		})
	}
}

func TestResetFromAFile(t *testing.T) {
	s := newGroupSession(t)
	s.consume("one", "classic", "orders", 10)
	s.consume("two", "consumer", "orders", 10)
	saved := filepath.Join(t.TempDir(), "saved.json")
	require.NoError(t, os.WriteFile(saved, []byte(s.must("", "group", "reset", "--all-groups", "--all-topics", "--to", "current", "-o", "json")), 0o600))
	s.must("", "group", "reset", "one", "two", "--all-topics", "--to", "1", "--execute")
	require.Equal(t, "0:1 1:1 0:1 1:1", s.offsets("one")+" "+s.offsets("two"))
	s.must("", "group", "reset", "two", "--file", saved, "--execute")
	require.Equal(t, "0:1 1:1 0:5 1:5", s.offsets("one")+" "+s.offsets("two"))
	s.must("", "group", "reset", "--file", saved, "--execute")
	require.Equal(t, "0:5 1:5", s.offsets("one"))

	lines := filepath.Join(t.TempDir(), "lines.csv")
	require.NoError(t, os.WriteFile(lines, []byte("\"orders\",1,3\norders,0,99\n"), 0o600))
	planned := s.must("", "group", "reset", "new", "--file", lines, "--execute")
	require.Regexp(t, `(?m)^new +orders +0 +- +5 +- +99 is after the log end$`, planned)
	require.Equal(t, "0:5 1:3", s.offsets("new"), "a group that was not there is made")
	require.Contains(t, s.fails("", "group", "reset", "--file", lines), "does not say of which group")
	require.NoError(t, os.WriteFile(lines, []byte("orders,1,3\norders,1,4\n"), 0o600))
	require.Contains(t, s.fails("", "group", "reset", "new", "--file", lines), "stands twice")
	require.NoError(t, os.WriteFile(lines, []byte("# offsets\norders;1;3\n"), 0o600))
	require.Contains(t, s.fails("", "group", "reset", "new", "--file", lines), "lines.csv: line 2 is not [GROUP,]TOPIC,PARTITION,OFFSET")
}

func TestResetRefusesWhatWouldBeUndone(t *testing.T) {
	s := newGroupSession(t)
	for _, protocol := range []string{"classic", "consumer"} {
		c := s.consumer(protocol, protocol, kgo.ConsumeTopics("orders"))
		c.given()
		out, err := s.run("", "group", "reset", protocol, "--topic", "orders", "--to", "latest")
		require.NoError(t, err)
		require.Regexp(t, `(?m)^`+protocol+` +orders +0 +- +5 +- +-$`, out.stdout)
		require.Contains(t, out.stderr, fmt.Sprintf("group %q has 1 members and is Stable; stop its consumers first", protocol))
		require.Contains(t, s.fails("", "group", "reset", protocol, "--topic", "orders", "--to", "latest", "--execute"), "stop its consumers first")
	}
	for want, args := range map[string][]string{
		"name the groups, or say --all-groups": {"--topic", "orders", "--to", "latest"},
		"not both":                             {"classic", "--all-groups", "--topic", "orders", "--to", "latest"},
		`--to "yesterday" is none of`:          {"new", "--topic", "orders", "--to", "yesterday"},
		`group "new" has no offset in partition 0 of topic "orders" to shift`: {"new", "--topic", "orders", "--shift", "1"},
		"[to shift file]": {"new", "--topic", "orders"},
		"stands twice":    {"new", "--topic", "orders", "--topic", "orders:1", "--to", "1"},
	} {
		require.Contains(t, s.fails("", append([]string{"group", "reset"}, args...)...), want)
	}
}

func TestConsumeAsAMember(t *testing.T) {
	for _, protocol := range []string{"classic", "consumer"} {
		t.Run(protocol, func(t *testing.T) {
			s := newGroupSession(t)
			consume := func(flags ...string) int {
				t.Helper()
				return strings.Count(s.must("", append([]string{"consume", "orders", "--group", "readers", "--group-protocol", protocol}, flags...)...), "\n")
			}
			require.Equal(t, 4, consume("--count", "4"))
			require.Equal(t, 6, consume("--exit-at-end"), "it goes on where the group was")
			require.Equal(t, "0:5 1:5", s.offsets("readers"))
			require.Zero(t, consume("--exit-at-end"))
			s.must("", "group", "reset", "readers", "--topic", "orders:1", "--to", "3", "--execute")
			require.Equal(t, 2, consume("--exit-at-end", "-o", "json"))
		})
	}
}

// What another member has, it is to have consumed before the command ends.
func TestConsumeEndsWhenOthersOfTheGroupHaveCome(t *testing.T) {
	s := newGroupSession(t)
	other := s.consumer("readers", "consumer", kgo.ConsumeTopics("orders"))
	require.Len(t, other.given()["orders"], 2)
	ended := make(chan output, 1)
	go func() {
		out, err := s.run("", "consume", "orders", "--group", "readers", "--group-protocol", "consumer", "--exit-at-end", "--format", `%p\n`)
		assert.NoError(t, err)
		ended <- out
	}()
	var kept int32
	require.Eventually(t, func() bool {
		has := decode[struct {
			Groups []struct {
				State   string
				Members []struct {
					Client   string
					Assigned map[string][]int32
				}
			}
		}](t, s.must("", "group", "members", "readers", "-o", "json")).Groups[0]
		for _, m := range has.Members {
			if m.Client == "app" && len(m.Assigned["orders"]) == 1 {
				kept = m.Assigned["orders"][0]
			}
		}
		return has.State == "Stable" && len(has.Members) == 2
	}, time.Minute, 20*time.Millisecond)
	other.commit(t, "orders", kept, 5)
	out := <-ended
	require.Equal(t, strings.Repeat(fmt.Sprintf("%d\n", 1-kept), 5), out.stdout)
}

func TestConsumeEndsWhereOthersOfTheGroupCame(t *testing.T) {
	s := newGroupSession(t)
	other := s.consumer("readers", "consumer", kgo.ConsumeTopics("orders"))
	require.Len(t, other.given()["orders"], 2)
	other.commit(t, "orders", 0, 5)
	other.commit(t, "orders", 1, 5)
	require.Empty(t, s.must("", "consume", "orders", "--group", "readers", "--group-protocol", "consumer", "--exit-at-end"))
	require.Contains(t, s.fails("", "consume", "orders", "--group", "readers", "--from", "3"), "`odradek group reset` moves a group")
	require.Contains(t, s.fails("", "consume", "orders", "--group", "readers", "--group-protocol", "new"), `"new" is none of classic, consumer`)
	require.Contains(t, s.fails("", "consume", "orders", "--group", "readers", "--partition", "1"), "[group partition]")
}

func TestGroupExplain(t *testing.T) {
	s := newGroupSession(t)
	explain := func(group string, flags ...string) string {
		t.Helper()
		out, err := command(t, "", append([]string{"group", "explain", group, "--admin", s.broker.Admin}, flags...)...)
		require.NoError(t, err)
		return out.stdout
	}
	for _, protocol := range []string{"classic", "consumer"} {
		c := s.consumer(protocol, protocol, kgo.ConsumeTopics("orders"))
		c.given()
	}
	text := explain("classic")
	require.Regexp(t, `(?m)^group classic, classic, Stable, generation 1
member \S+ \(client app\) decided as the leader, by the protocol cooperative-sticky, for generation 1 at \S+Z
the last rebalance: .+$`, text)
	require.Regexp(t, `(?m)^\S+ +app +orders:0-1 +subscribes to orders$`, text)

	text = explain("consumer")
	require.Regexp(t, `(?m)^group consumer, consumer, Stable, epoch 2
assignor uniform of the broker decided for epoch 2 at \S+Z$`, text)
	require.Regexp(t, `(?m)^\S+ +app +orders:0-1 +subscribes to orders; the decision left it 0 partitions, gave it 2 and took 0$`, text)

	second := s.consumer("consumer", "consumer", kgo.ConsumeTopics("orders"))
	require.Len(t, second.given()["orders"], 1)
	text = explain("consumer")
	require.Contains(t, text, "assignor uniform of the broker decided for epoch 3")
	require.Contains(t, text, "the decision left it 1 partitions, gave it 0 and took 1")
	require.Contains(t, text, "the decision left it 0 partitions, gave it 1 and took 0")

	document := decode[struct {
		Members []struct{ Partitions []struct{ State string } }
	}](t, explain("consumer", "-o", "json"))
	require.Len(t, document.Members, 2)
	_, err := command(t, "", "group", "explain", "nobody", "--admin", s.broker.Admin)
	require.ErrorContains(t, err, `this broker coordinates no group "nobody"`)
}
