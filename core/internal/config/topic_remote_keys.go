package config

import (
	"math"
	"strings"
)

// Topic configs of tiered storage (KIP-405). Switching it on is refused, since
// none of them acts yet.
func topicRemoteKeys() []key[Topic] {
	return []key[Topic]{
		define[Topic, string](Definition{
			Name: "remote.storage.enable", Default: "false", HasDefault: true,
			Doc: "Whether old segments move to remote storage.",
		}, syntax[string]{Boolean, "false: there is no remote storage yet", func(text string) (string, bool) {
			return text, strings.EqualFold(text, "false")
		}}, nil),
		define[Topic, int64](Definition{
			Name: "local.retention.ms", Default: "-2", HasDefault: true, Synonyms: []string{"log.local.retention.ms"},
			Doc: "Milliseconds for which segments stay on the broker once they are remote; -2 for retention.ms.",
		}, long(-2, math.MaxInt64), nil),
		define[Topic, int64](Definition{
			Name: "local.retention.bytes", Default: "-2", HasDefault: true, Synonyms: []string{"log.local.retention.bytes"},
			Doc: "Bytes that stay on the broker once they are remote; -2 for retention.bytes.",
		}, long(-2, math.MaxInt64), nil),
		define[Topic, bool](Definition{
			Name: "remote.log.copy.disable", Default: "false", HasDefault: true,
			Doc: "Whether copying to remote storage has stopped.",
		}, boolean(), nil),
		define[Topic, bool](Definition{
			Name: "remote.log.delete.on.disable", Default: "false", HasDefault: true,
			Doc: "Whether remote data goes when remote storage is switched off.",
		}, boolean(), nil),
		define[Topic, int64](Definition{
			Name: "remote.copy.lag.ms", Default: "0", HasDefault: true, Synonyms: []string{"log.remote.copy.lag.ms"},
			Doc: "Milliseconds for which a segment waits before it is copied.",
		}, long(-1, math.MaxInt64), nil),
		define[Topic, int64](Definition{
			Name: "remote.copy.lag.bytes", Default: "-1", HasDefault: true, Synonyms: []string{"log.remote.copy.lag.bytes"},
			Doc: "Bytes that a log keeps before it is copied.",
		}, long(-1, math.MaxInt64), nil),
	}
}
