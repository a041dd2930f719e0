package config

import (
	"math"
	"regexp"
)

// Topic configs about replicas.
func topicReplicationKeys() []key[Topic] {
	return []key[Topic]{
		define(Definition{
			Name: "replication.strategy", Default: "isr", HasDefault: true, ReadOnly: true,
			Synonyms: []string{"replication.strategy"},
			Doc:      "The replication module that keeps the topic's partitions; a name from modules.replication.",
		}, text("the name of a replication module"), func(t *Topic) *string { return &t.ReplicationStrategy }),
		define(Definition{
			Name: "min.insync.replicas", Default: "1", HasDefault: true, Synonyms: []string{"min.insync.replicas"},
			Doc: "Replicas that have to be in sync for a write with acks=all to be taken.",
		}, integer(1, math.MaxInt32), func(t *Topic) *int32 { return &t.MinInSyncReplicas }),
		define[Topic, bool](Definition{
			Name: "unclean.leader.election.enable", Default: "false", HasDefault: true,
			Synonyms: []string{"unclean.leader.election.enable"},
			Doc:      "Whether a replica that is not in sync may become the leader as a last resort.",
		}, boolean(), nil),
		define[Topic, []string](Definition{
			Name: "leader.replication.throttled.replicas", HasDefault: true,
			Doc: "Replicas whose reads from the leader are throttled.",
		}, throttledReplicas(), nil),
		define[Topic, []string](Definition{
			Name: "follower.replication.throttled.replicas", HasDefault: true,
			Doc: "Replicas whose fetching as a follower is throttled.",
		}, throttledReplicas(), nil),
	}
}

var throttledReplica = regexp.MustCompile(`^[0-9]+:[0-9]+$`)

func throttledReplicas() syntax[[]string] {
	s := listOf("* for all, or a list of PARTITION:BROKER")
	inner := s.parse
	s.parse = func(text string) ([]string, bool) {
		list, ok := inner(text)
		if len(list) == 1 && list[0] == "*" {
			return list, true
		}
		for _, item := range list {
			ok = ok && throttledReplica.MatchString(item)
		}
		return list, ok
	}
	return s
}
