package kafka

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// soughtCoordinator is one answer, of whichever version.
type soughtCoordinator struct {
	key     string
	node    int32
	at      string
	code    int16
	message *string
}

func findCoordinators(t *testing.T, f *coordinatorFinder, b *Backend, version int16, kind int8, keys ...string) []soughtCoordinator {
	t.Helper()
	q := kmsg.NewPtrFindCoordinatorRequest()
	q.SetVersion(version)
	q.CoordinatorType, q.CoordinatorKey, q.CoordinatorKeys = kind, keys[0], keys
	r := overTheWire(t, version, f.serve(t.Context(), b, plaintext(), q), kmsg.NewPtrFindCoordinatorResponse())
	if version < 4 {
		return []soughtCoordinator{{key: keys[0], node: r.NodeID, at: fmt.Sprintf("%s:%d", r.Host, r.Port), code: r.ErrorCode, message: r.ErrorMessage}}
	}
	require.Zero(t, r.ErrorCode)
	var all []soughtCoordinator
	for _, c := range r.Coordinators {
		all = append(all, soughtCoordinator{key: c.Key, node: c.NodeID, at: fmt.Sprintf("%s:%d", c.Host, c.Port), code: c.ErrorCode, message: c.ErrorMessage})
	}
	return all
}

func TestFindCoordinatorAtEveryVersion(t *testing.T) {
	b, _ := planned(t)
	for version := int16(0); version <= 6; version++ {
		for _, a := range findCoordinators(t, new(coordinatorFinder), b, version, groupCoordinator, "a", "b") {
			require.Zero(t, a.code, "version %d", version)
			require.EqualValues(t, 7, a.node)
			require.Equal(t, "outside:9092", a.at)
		}
		kinds := map[int8]*kerr.Error{}
		if version > 0 {
			kinds[transactionCoordinator] = kerr.UnsupportedVersion
			kinds[shareCoordinator] = kerr.InvalidRequest
			kinds[3] = kerr.InvalidRequest
		}
		for kind, want := range kinds {
			answers := findCoordinators(t, new(coordinatorFinder), b, version, kind, "a", "b")
			if version >= 4 {
				require.Len(t, answers, 2)
				require.Equal(t, "b", answers[1].key)
			}
			for _, a := range answers {
				require.Equal(t, want.Code, a.code, "version %d type %d", version, kind)
				require.EqualValues(t, -1, a.node)
				require.Equal(t, ":-1", a.at)
				require.NotNil(t, a.message)
			}
		}
	}
}

func TestFindCoordinatorOfASharePartition(t *testing.T) {
	b, _ := planned(t)
	const id = "iz_ZvpoATtu1Yld3PXEwhA"
	for key, want := range map[string]*kerr.Error{
		"group:" + id + ":0":          kerr.CoordinatorNotAvailable,
		"with:colons:" + id + ":7":    kerr.CoordinatorNotAvailable,
		"group:" + id + ":-1":         kerr.InvalidRequest,
		"group:" + id + ":x":          kerr.InvalidRequest,
		"group:" + id:                 kerr.InvalidRequest,
		"group:orders:0":              kerr.InvalidRequest,
		":" + id + ":0":               kerr.InvalidRequest,
		id + ":0":                     kerr.InvalidRequest,
		"":                            kerr.InvalidRequest,
		"group:" + id + ":2147483648": kerr.InvalidRequest,
	} {
		require.Equal(t, want.Code, findCoordinators(t, new(coordinatorFinder), b, 6, shareCoordinator, key)[0].code, key)
	}
}

// Who looks for a transaction's coordinator in vain finds the reason in the
// log, once.
func TestFindCoordinatorTellsTheLogOnce(t *testing.T) {
	b, _ := planned(t)
	var log lockedBuffer
	b.Log = hclog.New(&hclog.LoggerOptions{Output: &log})
	f := new(coordinatorFinder)
	for range 3 {
		findCoordinators(t, f, b, 4, transactionCoordinator, "payments")
	}
	require.Equal(t, 1, strings.Count(log.String(), "no transactions on this broker"))
	require.Contains(t, log.String(), "transactional.id=payments")
}

func TestTheFirstGroupHasTheTopicMade(t *testing.T) {
	b, p := planned(t)
	findCoordinators(t, new(coordinatorFinder), b, 6, groupCoordinator, "a", "b", "c")
	topic, ok := p.Image().Topic("__consumer_offsets")
	require.True(t, ok)
	require.Len(t, topic.Partitions, 50)
	require.Equal(t, "compact", topic.Configs["cleanup.policy"])
}
