package pluginlist

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const answer = `{"modules":[
	{"kind":"storage","name":"segment","version":"1.0.0","binding":"in-process","pid":0,"state":"running"},
	{"kind":"codec","name":"zstd","version":"1.0.0","binding":"subprocess","pid":4711,"state":"restarting",
	 "restarts":2,"calls":10,"errors":1,"fallbacks":0,"p50_us":40,"p99_us":1500,"last_error":"killed"}]}`

func run(t *testing.T, args ...string) (string, error) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) }))
	defer server.Close()
	var out strings.Builder
	cmd := Command()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetOut(&out)
	cmd.SetArgs(append([]string{"list", "--admin", strings.TrimPrefix(server.URL, "http://")}, args...))
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func TestListAsTable(t *testing.T) {
	out, err := run(t)
	require.NoError(t, err)
	rows := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, rows, 3)
	require.Equal(t, []string{"storage", "segment", "1.0.0", "in-process", "-", "running", "0", "0", "0", "0", "-", "-", "-"}, strings.Fields(rows[1]))
	require.Equal(t, []string{"codec", "zstd", "1.0.0", "subprocess", "4711", "restarting", "2", "10", "1", "0", "40µs", "1.5ms", "killed"}, strings.Fields(rows[2]))
}

func TestListOfOneKind(t *testing.T) {
	out, err := run(t, "--kind", "codec", "-o", "json")
	require.NoError(t, err)
	require.Contains(t, out, `"name": "zstd"`)
	require.NotContains(t, out, "segment")

	_, err = run(t, "--kind", "codecs")
	require.EqualError(t, err, `--kind "codecs" is no kind of module; the kinds are storage, election, replication, partitioner, assignor, codec`)
	_, err = run(t, "--kind", "assignor")
	require.EqualError(t, err, `the broker has no module of kind "assignor"`)
}
