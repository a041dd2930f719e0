package kafkatools

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const dump = `Dumping /data/__consumer_offsets-1/00000000000000000000.log
Log starting offset: 0
baseOffset: 0 lastOffset: 2 count: 3 isvalid: true
| offset: 0 CreateTime: 1 keySize: 1 headerKeys: [] key: {"type":"3"} payload: {"epoch":1}
| offset: 1 CreateTime: 1 keySize: 1 headerKeys: [] key: {"type":"6"} payload: {"of":"a key: x"}
| offset: 2 CreateTime: 1 keySize: 1 headerKeys: [] key: {"type":"3"} payload: {"epoch":2}
`

func TestTheLastRecordOfAKeyCounts(t *testing.T) {
	require.Equal(t, "key: {\"type\":\"6\"} payload: {\"of\":\"a key: x\"}\nkey: {\"type\":\"3\"} payload: {\"epoch\":2}", compacted(dump))
	require.Equal(t, "key: {\"type\":\"3\"} payload: <DELETE>\nkey: {\"type\":\"6\"} payload: {}",
		compacted(dump+"| offset: 3 CreateTime: 1 key: {\"type\":\"3\"} payload: <DELETE>\n| offset: 4 CreateTime: 1 key: {\"type\":\"6\"} payload: {}"))
}
