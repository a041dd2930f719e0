package cooperativesticky_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	cooperativesticky "odradek.dev/plugins/assignor/cooperative-sticky"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
	"odradek.dev/sdk/assignor/golden"
	"odradek.dev/sdk/remote/remotetest"
)

// The same test binary serves the module when a test asks for it.
func TestMain(m *testing.M) { remotetest.Main(m, cooperativesticky.Factory()) }

func open(t *testing.T) assignor.Assignor {
	return assignortest.Open(t, cooperativesticky.Factory(), nil)
}

func openSubprocess(t *testing.T) assignor.Assignor {
	return remotetest.Open(t, cooperativesticky.Factory(), nil).(assignor.Assignor)
}

func TestConformance(t *testing.T) {
	assignortest.Run(t, open, assignortest.Sticky(), assignortest.MovesForRacks())
}

func TestConformanceOfSubprocess(t *testing.T) {
	assignortest.Run(t, openSubprocess, assignortest.Sticky(), assignortest.MovesForRacks())
}

func TestBindingsAgree(t *testing.T) { assignortest.Equal(t, open(t), openSubprocess(t)) }

// TestAssignsAsKafkaDoes leaves out the groups for which Kafka's answer is not
// exact. Kafka's answer lacks what somebody else has to give up first.
func TestAssignsAsKafkaDoes(t *testing.T) {
	compared, heldBack := 0, 0
	for i, c := range golden.Kafka() {
		got := assignortest.Assign(t, open(t), c.Snapshot)
		if c.CooperativeSticky == nil {
			continue
		}
		compared++
		kafka := owners(*c.CooperativeSticky)
		for at, member := range owners(got) {
			if theirs, given := kafka[at]; given {
				require.Equal(t, theirs, member, "case %d, %v", i+1, at)
				continue
			}
			heldBack++
			require.True(t, otherClaims(c.Snapshot, at, member), "case %d: %v is held back from member %d, and nobody else has it", i+1, at, member)
		}
	}
	require.Greater(t, compared, 400)
	require.Greater(t, heldBack, 100)
}

type place struct {
	topic     string
	partition int32
}

// owners has the member of each partition, by index.
func owners(assignment assignor.Assignment) map[place]int {
	owners := make(map[place]int)
	for i, member := range assignment.Members {
		for _, tp := range member.Partitions {
			for _, p := range tp.Partitions {
				owners[place{tp.Topic, p}] = i
			}
		}
	}
	return owners
}

// otherClaims reports whether another member says that it has the partition.
func otherClaims(snapshot assignor.Snapshot, at place, than int) bool {
	for i, member := range snapshot.Members {
		for _, owned := range member.Owned {
			if i != than && owned.Topic == at.topic && slices.Contains(owned.Partitions, at.partition) {
				return true
			}
		}
	}
	return false
}
