package explain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
)

func TestParseGroupSortsAsTheContractAsks(t *testing.T) {
	got, err := parseGroup(
		[]string{"payments=2", "orders=4"},
		[]string{"b=payments,orders", "a", "c=payments"},
		[]string{"a=orders:3,0-1", "a=orders2:7"},
	)
	require.NoError(t, err)
	require.Equal(t, assignor.Snapshot{
		Group:  "explain",
		Topics: []assignor.Topic{{Name: "orders", Partitions: 4}, {Name: "payments", Partitions: 2}},
		Members: []assignor.Member{
			{ID: "a", Topics: []string{"orders", "payments"}, Generation: 1, Owned: []assignor.TopicPartitions{
				{Topic: "orders", Partitions: []int32{0, 1, 3}}, {Topic: "orders2", Partitions: []int32{7}},
			}},
			{ID: "b", Topics: []string{"orders", "payments"}, Generation: -1},
			{ID: "c", Topics: []string{"payments"}, Generation: -1},
		},
	}, got)
}

func TestParseGroupNamesWhatIsWrong(t *testing.T) {
	topics, members := []string{"orders=4"}, []string{"a"}
	for _, test := range []struct {
		topics, members, owned []string
		want                   string
	}{
		{[]string{"orders"}, members, nil, `--topic "orders" is not`},
		{[]string{"orders=0"}, members, nil, `--topic "orders=0" is not`},
		{[]string{"=4"}, members, nil, `--topic "=4" is not`},
		{[]string{"orders=1", "orders=2"}, members, nil, "--topic orders stands twice"},
		{topics, []string{"a", "a"}, nil, "--member a stands twice"},
		{topics, []string{"=orders"}, nil, "is not ID"},
		{topics, []string{"a=order"}, nil, `topic "order", which no --topic describes`},
		{topics, members, []string{"b=orders:0"}, `member "b", which no --member describes`},
		{topics, members, []string{"a=orders"}, "is not ID=TOPIC:PARTITIONS"},
		{topics, members, []string{"a=orders:3-1"}, "is not ID=TOPIC:PARTITIONS"},
	} {
		_, err := parseGroup(test.topics, test.members, test.owned)
		require.ErrorContains(t, err, test.want)
	}
}
