package group

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/odradek/internal/adminapi"
)

func TestWhyAMemberHasWhatItHas(t *testing.T) {
	m := adminapi.GroupMember{
		ID: "a", Client: "app", Rack: "r1", Topics: []string{"orders"}, Expression: "pay.*", Epoch: 2, Kept: 1, Gained: 3, Lost: 1,
		Partitions: []adminapi.GroupPartition{
			{Topic: "orders", Partition: 0, State: "held"}, {Topic: "orders", Partition: 1, State: "revoked"}, {Topic: "orders", Partition: 5, State: "due"},
			{Topic: "orders", Partition: 2, State: "awaited", Holder: "b"}, {Topic: "orders", Partition: 3, State: "awaited", Holder: "b"},
		},
	}
	g := adminapi.Group{Group: "g", Type: "consumer", State: "Reconciling", Epoch: 3, TargetEpoch: 3, Assignor: "uniform", Known: true, Members: []adminapi.GroupMember{m}}
	require.Equal(t, "subscribes to orders, /pay.*/; in rack r1; the decision left it 1 partitions, gave it 3 and took 1; is yet to give up orders:1; "+
		"gets orders:5 with its next heartbeat; waits for orders:2-3, which member b has yet to give up; is at epoch 2", whyText(&g, &m))
	require.Equal(t, map[string][]int32{"orders": {0, 1}}, partitionsIn(&m, "held", "revoked"))
}

func TestWhoDecided(t *testing.T) {
	members := []adminapi.GroupMember{{ID: "a", Client: "app"}}
	const when = 1_700_000_000_000
	for want, g := range map[string]adminapi.Group{
		"it has no members, so that nobody decides":                                             {Type: "consumer"},
		"nothing is decided yet: member a (client app) leads, and decides when all have joined": {Type: "classic", Leader: "a", DecidedAtMs: -1, Members: members},
		"member a (client app) decided as the leader, by the protocol range, for generation 4 at 2023-11-14T22:13:20Z": {
			Type: "classic", Leader: "a", Assignor: "range", TargetEpoch: 4, DecidedAtMs: when, Known: true, Members: members},
		"assignor uniform of the broker decided for epoch 4 at 2023-11-14T22:13:20Z": {Type: "consumer", Assignor: "uniform", TargetEpoch: 4, DecidedAtMs: when, Known: true, Members: members},
		"epoch 4 was decided at 2023-11-14T22:13:20Z, before this broker read the group's log; assignor uniform decides next": {
			Type: "consumer", Assignor: "uniform", TargetEpoch: 4, DecidedAtMs: when, Members: members},
		"assignor mine failed, and the built-in one decided in its place for epoch 4 at 2023-11-14T22:13:20Z; `odradek plugin list --kind assignor` says why": {
			Type: "consumer", Assignor: "mine", TargetEpoch: 4, DecidedAtMs: when, Known: true, Fallback: true, Members: members},
		"nothing is decided yet; assignor uniform of the broker decides": {Type: "consumer", Assignor: "uniform", DecidedAtMs: -1, Members: members},
	} {
		require.Equal(t, want, decidedText(&g))
	}
	lines := decisionText(&adminapi.Group{Group: "g", Type: "consumer", State: "Stable", Epoch: 5, Assignor: "mine", Failure: "it hangs", Members: members})
	require.Contains(t, lines, "epoch 5 is not decided, so that the members keep what they have: it hangs")
}
