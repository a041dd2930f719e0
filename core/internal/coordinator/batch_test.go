package coordinator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/sdk/record"
)

// losing is what a step has of a group that loses members.
func losing(group string, members int) (records []grouplog.Record) {
	for i := range members {
		member := fmt.Sprint("member", i)
		records = append(records,
			grouplog.Delete(grouplog.CurrentKey{Group: group, Member: member}),
			grouplog.Delete(grouplog.TargetMemberKey{Group: group, Member: member}),
			grouplog.Delete(grouplog.MemberKey{Group: group, Member: member}))
	}
	return append(records, grouplog.Record{Key: grouplog.ConsumerGroupKey{Group: group}, Value: &grouplog.ConsumerGroup{Epoch: 7}})
}

// batchesOf has the groups of each batch, one for each record.
func batchesOf(t *testing.T, records []grouplog.Record) (groups [][]string) {
	t.Helper()
	for batch := range new(batchRoom).batches(records, 1) {
		require.Less(t, len(batch), 1<<20, "the smallest segment")
		var of []string
		read := record.Batch(batch)
		require.NoError(t, record.Walk(read.Records(), read.RecordCount(), func(r record.Record) error {
			decoded, err := grouplog.Decode(r.Key, r.Value)
			of = append(of, decoded.Key.GroupID())
			return err
		}))
		groups = append(groups, of)
	}
	return groups
}

func TestBatchesHaveGroupsAsAWhole(t *testing.T) {
	var records []grouplog.Record
	for i := range 100 {
		records = append(records, losing(fmt.Sprint(i, strings.Repeat("g", 5000)), 1)...)
	}
	batches := batchesOf(t, records)
	require.Greater(t, len(batches), 2)
	for i, batch := range batches[1:] {
		require.False(t, batch[0] == batches[i][len(batches[i])-1], "batch %d begins within a group", i+1)
	}
}

func TestALargeGroupIsCut(t *testing.T) {
	batches := batchesOf(t, losing(strings.Repeat("g", 100), 5000))
	require.Greater(t, len(batches), 1)
}
