package consume

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/odradek/internal/render"
)

var sample = &kgo.Record{
	Topic: "chat", Partition: 2, Offset: 7, LeaderEpoch: 1, Timestamp: time.UnixMilli(1_700_000_000_123),
	Key: []byte("alice"), Value: []byte("<hello>"), Headers: []kgo.RecordHeader{{Key: "trace", Value: []byte("1")}},
}

func printed(t *testing.T, output render.Format, format string, r *kgo.Record) string {
	var out strings.Builder
	p, err := newPrinter(&out, output, format)
	require.NoError(t, err)
	require.NoError(t, p.record(r))
	require.Empty(t, out.String(), "records are written in larger pieces")
	require.NoError(t, p.flush())
	return out.String()
}

func TestPrint(t *testing.T) {
	require.Equal(t, "<hello>\n", printed(t, render.Text, `%v\n`, sample))
	require.Equal(t, "chat/2@7 1700000000123 alice=<hello> trace:1\n", printed(t, render.Text, `%t/%p@%o %d %k=%v %h{%k:%v}\n`, sample))
	require.JSONEq(t, `{"topic":"chat","partition":2,"offset":7,"leader_epoch":1,"timestamp":"2023-11-14T22:13:20.123Z",
		"key":"YWxpY2U=","value":"PGhlbGxvPg==","headers":[{"name":"trace","value":"MQ=="}]}`, printed(t, render.JSON, "", sample))
}

func TestPrintKeepsNullApartFromEmptyInJSON(t *testing.T) {
	line := printed(t, render.JSON, "", &kgo.Record{Value: []byte{}})
	require.Contains(t, line, `"key":null`)
	require.Contains(t, line, `"value":""`)
}

func TestPrintRefusesAnUnknownVerb(t *testing.T) {
	_, err := newPrinter(&strings.Builder{}, render.Text, "%q")
	require.ErrorContains(t, err, "--format")
}
