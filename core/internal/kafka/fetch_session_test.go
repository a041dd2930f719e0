package kafka

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

// reader is a client with a session. It has requests wait for nothing.
type reader struct {
	*rawClient
	version        int16
	session, epoch int32
}

// asked is a partition in a request of a reader.
type asked struct {
	topic  string
	id     [16]byte
	index  int32
	offset int64
}

func (b *testBroker) reader(t *testing.T, version int16) *reader {
	return &reader{rawClient: b.dial(t), version: version}
}

func (r *reader) request(wants, forgets []asked) *kmsg.FetchRequest {
	q := kmsg.NewPtrFetchRequest()
	q.SetVersion(r.version)
	q.MinBytes, q.MaxBytes = 1, 50<<20
	q.SessionID, q.SessionEpoch = r.session, r.epoch
	for _, a := range wants {
		t := kmsg.NewFetchRequestTopic()
		t.Topic, t.TopicID = a.topic, a.id
		p := kmsg.NewFetchRequestTopicPartition()
		p.Partition, p.FetchOffset, p.PartitionMaxBytes = a.index, a.offset, 1<<20
		t.Partitions = append(t.Partitions, p)
		q.Topics = append(q.Topics, t)
	}
	for _, a := range forgets {
		t := kmsg.NewFetchRequestForgottenTopic()
		t.Topic, t.TopicID, t.Partitions = a.topic, a.id, []int32{a.index}
		q.ForgottenTopics = append(q.ForgottenTopics, t)
	}
	return q
}

// fetch goes on with the session, and returns what is answered: a line a
// partition, or the error of the whole.
func (r *reader) fetch(wants []asked, forgets ...asked) []string {
	answer := r.ask(r.request(wants, forgets)).(*kmsg.FetchResponse)
	if answer.ErrorCode != 0 {
		return []string{kerr.TypedErrorForCode(answer.ErrorCode).Message}
	}
	r.session, r.epoch = answer.SessionID, r.epoch+1
	lines := []string{}
	for _, t := range answer.Topics {
		for _, p := range t.Partitions {
			lines = append(lines, partitionLine(t, p))
		}
	}
	return lines
}

func partitionLine(t kmsg.FetchResponseTopic, p kmsg.FetchResponseTopicPartition) string {
	name := t.Topic
	if name == "" {
		name = "id"
	}
	if p.ErrorCode != 0 {
		return fmt.Sprintf("%s-%d %s", name, p.Partition, kerr.TypedErrorForCode(p.ErrorCode).Message)
	}
	return fmt.Sprintf("%s-%d hw=%d batches=%d", name, p.Partition, p.HighWatermark, len(offsets(p.RecordBatches)))
}

func TestASessionAnswersOnlyWhatIsNew(t *testing.T) {
	for version := int16(7); version <= 12; version++ {
		b := newTestBroker(t)
		b.create(t, "a", 2, nil)
		b.create(t, "b", 1, nil)
		b.append(t, "b", 0, batchOf("x"))
		r := b.reader(t, version)
		all := []asked{{topic: "a", index: 0}, {topic: "a", index: 1}, {topic: "b"}}
		require.Equal(t, []string{"a-0 hw=0 batches=0", "a-1 hw=0 batches=0", "b-0 hw=1 batches=1"}, r.fetch(all))
		require.Positive(t, r.session)
		require.Empty(t, r.fetch([]asked{{topic: "b", offset: 1}}))
		b.append(t, "a", 0, batchOf("x"))
		b.append(t, "a", 1, batchOf("x"))
		require.Equal(t, []string{"a-0 hw=1 batches=1", "a-1 hw=1 batches=1"}, r.fetch(nil))
		require.Equal(t, []string{"a-1 hw=1 batches=1"}, r.fetch([]asked{{topic: "a", offset: 1}}))
		require.Equal(t, []string{"b-0 OFFSET_OUT_OF_RANGE"}, r.fetch([]asked{{topic: "b", offset: 9}}, asked{topic: "a", index: 1}))
		require.Equal(t, []string{"b-0 hw=1 batches=0"}, r.fetch([]asked{{topic: "b", offset: 1}}))
		require.Empty(t, r.fetch(nil))
		require.Equal(t, []string{"a-1 hw=1 batches=1"}, r.fetch([]asked{{topic: "a", index: 1}}))
	}
}

// Each gets its turn when an answer has room for one.
func TestNoPartitionOfASessionStarves(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "a", 3, nil)
	r := b.reader(t, 12)
	var all []asked
	for index := range int32(3) {
		b.append(t, "a", index, batchOf("x"))
		all = append(all, asked{topic: "a", index: index})
	}
	r.fetch(all)
	for turn := range 6 {
		q := r.request(nil, nil)
		q.MaxBytes = 1
		answer := r.ask(q).(*kmsg.FetchResponse)
		r.epoch++
		require.Len(t, answer.Topics, 1)
		require.Len(t, answer.Topics[0].Partitions, 1)
		require.Equal(t, int32(turn%3), answer.Topics[0].Partitions[0].Partition)
	}
}

func TestWhatASessionRefuses(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "a", 1, nil)
	one := []asked{{topic: "a", id: id}}
	begun := b.reader(t, 12)
	begun.fetch(one)
	tests := map[string]struct {
		version        int16
		session, epoch int32
		want           *kerr.Error
	}{
		"no id":                 {12, 0, 1, kerr.FetchSessionIDNotFound},
		"an unknown one":        {12, begun.session ^ 1, 1, kerr.FetchSessionIDNotFound},
		"a negative one":        {12, -1, 1, kerr.FetchSessionIDNotFound},
		"an epoch ahead":        {12, begun.session, 2, kerr.InvalidFetchSessionEpoch},
		"the last epoch":        {12, begun.session, math.MaxInt32, kerr.InvalidFetchSessionEpoch},
		"an epoch below -1":     {12, begun.session, -2, kerr.InvalidFetchSessionEpoch},
		"ids where names began": {13, begun.session, 1, kerr.FetchSessionTopicIDError},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := b.reader(t, test.version)
			r.session, r.epoch = test.session, test.epoch
			q := r.request(one, nil)
			q.MaxWaitMillis = 120_000
			answer := r.ask(q).(*kmsg.FetchResponse)
			require.Equal(t, test.want.Code, answer.ErrorCode)
			require.Zero(t, answer.SessionID)
			require.Empty(t, answer.Topics)
		})
	}
	require.Empty(t, begun.fetch(nil), "it goes on as if nothing had been")
}

func TestTheEndOfASession(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "a", 1, nil)
	one := asked{topic: "a"}
	ends := map[string]func(r *reader){
		"a fetch without a session": func(r *reader) { r.epoch = -1; r.fetch([]asked{one}); require.Zero(t, r.session) },
		"another session":           func(r *reader) { r.epoch = 0; r.fetch([]asked{one}); require.Positive(t, r.session) },
		"all is forgotten":          func(r *reader) { require.Empty(t, r.fetch(nil, one)); require.Zero(t, r.session) },
		"what was added is forgotten": func(r *reader) {
			require.Equal(t, []string{"a-0 hw=0 batches=0"}, r.fetch([]asked{one}, one))
			require.Zero(t, r.session)
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			r := b.reader(t, 12)
			r.fetch([]asked{one})
			session, epoch := r.session, r.epoch
			end(r)
			require.NotEqual(t, session, r.session)
			r.session, r.epoch = session, epoch+1
			require.Equal(t, []string{"FETCH_SESSION_ID_NOT_FOUND"}, r.fetch(nil))
		})
	}
}

func TestFetchesOfNoSession(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.FetchSessions = 1 })
	b.create(t, "a", 1, nil)
	one := []asked{{topic: "a"}}
	old, without := b.reader(t, 4), b.reader(t, 12)
	without.epoch = -1
	for range 2 {
		require.Equal(t, []string{"a-0 hw=0 batches=0"}, old.fetch(one))
		require.Equal(t, []string{"a-0 hw=0 batches=0"}, without.fetch(one))
		require.Zero(t, without.session)
		without.epoch = -1
	}
	b.reader(t, 12).fetch(one)
	late := b.reader(t, 12)
	require.Equal(t, []string{"a-0 hw=0 batches=0"}, late.fetch(one))
	require.Zero(t, late.session, "max.incremental.fetch.session.cache.slots are taken")
}

func TestASessionOutlivesItsTopic(t *testing.T) {
	b := newTestBroker(t)
	was := b.create(t, "a", 1, nil)
	one := []asked{{topic: "a", id: was}}
	named, byID, later := b.reader(t, 12), b.reader(t, 18), b.reader(t, 18)
	for _, r := range []*reader{named, byID} {
		r.fetch(one)
		require.Empty(t, r.fetch(nil))
	}
	b.backend.Controller.DeleteTopics(t.Context(), []metadata.TopicRef{{Name: "a"}})
	for _, wants := range [][]asked{nil, one} {
		require.Equal(t, []string{"a-0 UNKNOWN_TOPIC_OR_PARTITION"}, named.fetch(wants))
		require.Equal(t, []string{"id-0 UNKNOWN_TOPIC_OR_PARTITION"}, byID.fetch(wants))
	}
	require.Equal(t, []string{"id-0 UNKNOWN_TOPIC_ID"}, later.fetch(one))
	is := b.create(t, "a", 1, nil)
	b.append(t, "a", 0, batchOf("x"))
	require.Equal(t, []string{"a-0 hw=1 batches=1"}, named.fetch(nil), "the name is the same")
	require.Equal(t, []string{"id-0 INCONSISTENT_TOPIC_ID"}, byID.fetch(nil), "the id is another")
	require.Equal(t, []string{"id-0 INCONSISTENT_TOPIC_ID", "id-0 hw=1 batches=1"}, byID.fetch([]asked{{id: is}}))
	require.Equal(t, []string{"id-0 UNKNOWN_TOPIC_ID"}, later.fetch(nil))
}

// What a session waits for may come into being.
func TestASessionFindsWhatIsCreatedLater(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "a", 1, nil)
	r := b.reader(t, 12)
	wants := []asked{{topic: "a", index: 1}, {topic: "late"}}
	unknown := []string{"a-1 UNKNOWN_TOPIC_OR_PARTITION", "late-0 UNKNOWN_TOPIC_OR_PARTITION"}
	require.Equal(t, unknown, r.fetch(wants))
	require.Equal(t, unknown, r.fetch(nil), "errors are told each time")
	b.create(t, "late", 1, nil)
	b.backend.Controller.CreatePartitions(t.Context(), []metadata.NewPartitions{{Topic: "a", Count: 2}}, false)
	require.Equal(t, []string{"a-1 hw=0 batches=0", "late-0 hw=0 batches=0"}, r.fetch(nil))
	require.Empty(t, r.fetch(nil))
}

// Two fetches of a session at a time: the answer to the first would not be
// understood any more.
func TestTheLaterFetchOfASessionCounts(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "a", 1, nil)
	r := b.reader(t, 12)
	r.fetch([]asked{{topic: "a"}})
	session := r.session
	first := r.request(nil, nil)
	first.MaxWaitMillis = 120_000
	correlation := r.send(first)
	b.awaitParked(t, 1)
	other := b.reader(t, 12)
	other.session, other.epoch = session, 2
	second := other.request(nil, nil)
	second.MaxWaitMillis = 120_000
	otherCorrelation := other.send(second)
	b.awaitParked(t, 2)
	b.append(t, "a", 0, batchOf("x"))
	answer := r.receive(correlation, first).(*kmsg.FetchResponse)
	require.Equal(t, kerr.InvalidFetchSessionEpoch.Code, answer.ErrorCode)
	require.Equal(t, session, answer.SessionID)
	require.Empty(t, answer.Topics)
	require.Len(t, offsets(fetchedOf(t, other.receive(otherCorrelation, second)).RecordBatches), 1)
}

// A fetch of a session waits for any of its partitions, beside one that does
// not exist.
func TestAFetchOfASessionParks(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "a", 2, nil)
	r := b.reader(t, 12)
	r.fetch([]asked{{topic: "a"}, {topic: "a", index: 1}, {topic: "none"}})
	q := r.request(nil, nil)
	q.MaxWaitMillis = 120_000
	correlation := r.send(q)
	b.awaitParked(t, 1)
	b.append(t, "a", 1, batchOf("x"))
	answer := r.receive(correlation, q).(*kmsg.FetchResponse)
	require.Len(t, answer.Topics, 2)
	require.Equal(t, "a-1 hw=1 batches=1", partitionLine(answer.Topics[0], answer.Topics[0].Partitions[0]))
	require.Equal(t, "none-0 UNKNOWN_TOPIC_OR_PARTITION", partitionLine(answer.Topics[1], answer.Topics[1].Partitions[0]))
}

// A reader of more than a session holds names all, each time.
func TestASessionOfTooManyPartitions(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "a", 1, nil)
	r := b.reader(t, 12)
	many := r.request([]asked{{topic: "a"}}, nil)
	for range mostSessionPartitions {
		many.Topics[0].Partitions = append(many.Topics[0].Partitions, many.Topics[0].Partitions[0])
	}
	answer := r.ask(many).(*kmsg.FetchResponse)
	require.Zero(t, answer.ErrorCode)
	require.Zero(t, answer.SessionID)
	require.Len(t, answer.Topics[0].Partitions, mostSessionPartitions+1)
	require.Zero(t, b.sessions.Stats())

	require.Len(t, r.fetch([]asked{{topic: "a"}}), 1)
	grown := r.request(nil, nil)
	grown.Topics = many.Topics
	for index := range grown.Topics[0].Partitions {
		grown.Topics[0].Partitions[index].Partition = int32(index)
	}
	answer = r.ask(grown).(*kmsg.FetchResponse)
	require.Equal(t, kerr.FetchSessionIDNotFound.Code, answer.ErrorCode)
	require.Zero(t, b.sessions.Stats())
}

// Sessions are not lost between clients that come, go, and share one by
// mistake, nor is the broker.
func TestManyReadersOfSessions(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.FetchSessions = 8 })
	b.create(t, "a", 4, nil)
	clients := make([]*kgo.Client, 12)
	for i := range clients {
		clients[i] = b.client(t, kgo.ConsumeTopics("a"), kgo.FetchMaxWait(50*time.Millisecond))
	}
	producer := b.client(t, kgo.DefaultProduceTopic("a"), kgo.RecordPartitioner(kgo.RoundRobinPartitioner()))
	const records = 400
	for i := range records {
		require.NoError(t, producer.ProduceSync(t.Context(), kgo.StringRecord(fmt.Sprint(i))).FirstErr())
	}
	for _, c := range clients {
		for seen := 0; seen < records; {
			fetches := c.PollFetches(t.Context())
			require.NoError(t, fetches.Err())
			seen += fetches.NumRecords()
		}
	}
	require.Equal(t, 8, b.sessions.Stats().Sessions)
}
