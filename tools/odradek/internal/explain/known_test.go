package explain

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGroupIsToldWhatIsKnown(t *testing.T) {
	group, err := parseGroup([]string{"payments=2", "orders=4"}, []string{"b", "a"}, nil)
	require.NoError(t, err)
	k := known{
		racks: []string{"b=r1"}, userData: []string{"a=x=3"},
		replicas: []string{"orders:0-1=r1,r2", "orders:3=r2"}, lags: []string{"orders:0-2=5", "orders:1=0"},
	}
	require.NoError(t, k.addTo(&group))
	require.Equal(t, []string{"", "r1"}, []string{group.Members[0].Rack, group.Members[1].Rack})
	require.Equal(t, "x=3", string(group.Members[0].UserData))
	require.Equal(t, [][]string{{"r1", "r2"}, {"r1", "r2"}, nil, {"r2"}}, group.Topics[0].Racks)
	require.Equal(t, []int64{5, 0, 5, -1}, group.Topics[0].Lags)
	require.Empty(t, group.Topics[1].Racks)
	require.Empty(t, group.Topics[1].Lags)
}

func TestWhatNobodyCanKnowIsRefused(t *testing.T) {
	for message, k := range map[string]known{
		`--rack "a" is not ID=VALUE, as in a=rack-1`:                                 {racks: []string{"a"}},
		`--user-data "c=1" names member "c", which no --member describes`:            {userData: []string{"c=1"}},
		`--replicas "orders=r1" is not TOPIC:PARTITIONS=VALUE, where partitions are`: {replicas: []string{"orders=r1"}},
		`--replicas "orders:0=" is not TOPIC:PARTITIONS=VALUE`:                       {replicas: []string{"orders:0="}},
		`--lag "bills:0=1" is about topic "bills", which no --topic describes`:       {lags: []string{"bills:0=1"}},
		`--lag "orders:0,4=1" is about partition 4 of topic orders, which has 4`:     {lags: []string{"orders:0,4=1"}},
		`--lag "orders:0=-1" does not end in a number of records`:                    {lags: []string{"orders:0=-1"}},
	} {
		group, err := parseGroup([]string{"orders=4"}, []string{"a"}, nil)
		require.NoError(t, err)
		require.ErrorContains(t, k.addTo(&group), message)
	}
}
