package differential

import (
	"bufio"
	"encoding/binary"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/record/recordtest"
)

const listed = `
[Metadata v.*]
# A reason.
Topics\[.*\]\.ErrorCode = 3 / (0|17)
ClusterID = ".*" / null
`

func metadataOf(names ...string) *kmsg.MetadataResponse {
	response := kmsg.NewPtrMetadataResponse()
	response.SetVersion(12)
	for _, name := range names {
		response.Topics = append(response.Topics, kmsg.MetadataResponseTopic{Topic: kmsg.StringPtr(name)})
	}
	return response
}

func TestWhatIsListedMayDiffer(t *testing.T) {
	d, err := parseDifferences(listed)
	require.NoError(t, err)
	require.NoError(t, d.Unseen(), "no request ran that could have shown them")
	theirs, ours := metadataOf("a", "b"), metadataOf("a", "b")
	theirs.Topics[0].ErrorCode = 3
	require.Empty(t, d.forbidden("Metadata v12", fieldsOf(theirs), fieldsOf(ours)))
	require.ErrorContains(t, d.Unseen(), "ClusterID", "a field that does not differ any more")
	require.Equal(t, []difference{{"Topics[a].ErrorCode", "3", "0"}}, d.forbidden("ListOffsets v1", fieldsOf(theirs), fieldsOf(ours)))
	ours.Topics[0].ErrorCode = 5
	require.Equal(t, []difference{{"Topics[a].ErrorCode", "3", "5"}}, d.forbidden("Metadata v12", fieldsOf(theirs), fieldsOf(ours)))
}

func TestLinesHaveBothAnswers(t *testing.T) {
	for _, text := range []string{"a = b", "a = ( / c"} {
		_, err := parseDifferences("[a]\n# why\n" + text)
		require.ErrorContains(t, err, "differences.txt:3:", text)
	}
	_, err := parseDifferences(differencesFile)
	require.NoError(t, err)
}

func TestAMissingElementIsOneDifference(t *testing.T) {
	theirs, ours := fieldsOf(metadataOf("a", "b")), fieldsOf(metadataOf("b"))
	require.Equal(t, []difference{{"Topics[a]", there, none}}, differing(theirs, ours))
	require.Equal(t, []difference{{"Topics" + order, "a|b", "b|a"}}, differing(theirs, fieldsOf(metadataOf("b", "a"))))
	require.Equal(t, []difference{{connectionField, "answered", "closed"}}, differing(theirs, fields{connectionField: "closed"}))
}

func TestIdentitiesAreFilledInAndTakenOut(t *testing.T) {
	ids := newIdentities()
	answer := metadataOf("a")
	answer.Topics[0].TopicID = [16]byte{9, 9}
	ids.empty(answer)
	require.Equal(t, topicPlaceholder("a"), answer.Topics[0].TopicID)
	ids.empty(&kmsg.InitProducerIDResponse{ProducerID: 4711})

	q := versioned(0, 13).(*kmsg.ProduceRequest)
	batch := recordtest.Batch(recordtest.Spec{ProducerID: firstProducer, Records: recordtest.Values(1, "v")})
	wrong := append([]byte(nil), batch...)
	wrong[crcAt] ^= 1
	q.Topics = []kmsg.ProduceRequestTopic{{TopicID: topicPlaceholder("a"), Partitions: []kmsg.ProduceRequestTopicPartition{{Records: batch}, {Records: wrong}}}}
	ids.fill(q)
	require.Equal(t, [16]byte{9, 9}, q.Topics[0].TopicID)
	for n, valid := range []bool{true, false} {
		filled := q.Topics[0].Partitions[n].Records
		require.EqualValues(t, 4711, binary.BigEndian.Uint64(filled[producerAt:]))
		require.Equal(t, valid, checksum(filled) == binary.BigEndian.Uint32(filled[crcAt:]))
	}
}

// TestThePlanComesFromTheSeed encodes every request, of all versions that
// there are.
func TestThePlanComesFromTheSeed(t *testing.T) {
	served := map[int16]versions{}
	for key := range int16(76) {
		if q := kmsg.RequestForKey(key); q != nil && (generators[key] != nil || key == 2 || key == 18 || key == 60) {
			served[key] = versions{0, q.MaxVersion()}
		}
	}
	frames := func(seed uint64) (all [][]byte, keys map[int16]bool) {
		keys = map[int16]bool{}
		side := newSide("", "nowhere")
		for _, one := range plan(seed, 1_800_000_000_000, served, 1000) {
			for _, r := range one.requests {
				all = append(all, side.frame(r, 1))
				keys[r.Key()] = true
			}
		}
		return all, keys
	}
	first, keys := frames(1)
	again, _ := frames(1)
	other, _ := frames(2)
	require.Equal(t, first, again)
	require.NotEqual(t, first, other)
	require.Len(t, keys, len(served))
}

// TestOwnIDsAreInTheOrderOfKafkasTable knows the hashes of two strings from Java.
func TestOwnIDsAreInTheOrderOfKafkasTable(t *testing.T) {
	require.Equal(t, 0x61%16, placeInTable("a"))
	require.Equal(t, int(uint32(0x5e918d2^0x5e918d2>>16)%16), placeInTable("hello"))
	for play := range 200 {
		for n := range mostMembers {
			require.Equal(t, n, placeInTable(ownID(memberPlaceholder(play, n))))
		}
	}
}

// TestAnAnswerCountsThoughTheBrokerClosesBeforeAllIsWritten has a broker close
// the connection for the second request, of which it has not read the end.
func TestAnAnswerCountsThoughTheBrokerClosesBeforeAllIsWritten(t *testing.T) {
	client, broker := net.Pipe() // without buffers: what nobody reads is not written
	s := newSide("", "nowhere")
	defer s.close()
	s.conns[0] = &connection{Conn: client, in: bufio.NewReader(client)}
	served := make(chan error, 1)
	go func() {
		defer broker.Close()
		asked, err := read(broker)
		if err != nil {
			served <- err
			return
		}
		body := append(asked[4:8:8], kmsg.NewPtrApiVersionsResponse().AppendTo(nil)...) // behind the correlation id
		_, err = broker.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
		served <- err
	}()
	answers, err := s.run(step{requests: []request{{Request: versioned(18, 0)}, {Request: versioned(0, 9)}, {Request: versioned(18, 0)}}})
	require.NoError(t, err)
	require.NoError(t, <-served)
	for n, became := range []string{"answered", "closed", "closed"} {
		require.Equal(t, became, answers[n][connectionField], n)
	}
	require.Nil(t, s.conns[0])
}
