package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/guard"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// byLength puts a key into the partition of its length, and a record without
// one into the last. It fails for a topic called "fail".
type byLength struct{}

func (byLength) Assign(_ context.Context, b partitioner.Batch) ([]int32, error) {
	if b.Topic.Name == "fail" {
		return nil, errors.New("asked to fail")
	}
	out := make([]int32, b.Keys.Len())
	for i, key := range b.Keys.All() {
		out[i] = int32(len(key))
		if key == nil {
			out[i] = b.Topic.Partitions - 1
		}
	}
	return out, nil
}

func (byLength) Health(context.Context) error { return nil }

// firstTakesAll gives everything to the first subscriber.
type firstTakesAll struct{}

func (firstTakesAll) Assign(_ context.Context, s assignor.Snapshot) (assignor.Assignment, error) {
	a := assignor.Assignment{Members: make([]assignor.MemberAssignment, len(s.Members))}
	for _, topic := range s.Topics {
		all := assignor.TopicPartitions{Topic: topic.Name}
		for p := range topic.Partitions {
			all.Partitions = append(all.Partitions, p)
		}
		a.Members[0].Partitions = append(a.Members[0].Partitions, all)
	}
	a.Members[0].UserData = s.Members[0].UserData
	return a, nil
}

func handler(t *testing.T, ready error) http.Handler {
	t.Helper()
	modules, err := guard.New([]guard.Module{
		{Descriptor: module.Descriptor{Kind: module.Partitioner, Name: "length", Version: "1.2.3"}, Binding: "subprocess",
			Instance: byLength{}, Process: func() guard.Process { return guard.Process{PID: 42, State: "running", Restarts: 1} }},
		{Descriptor: module.Descriptor{Kind: module.Assignor, Name: "first", Version: "1.0.0"}, Binding: "in-process", Instance: firstTakesAll{}},
	}, guard.Options{
		Log: hclog.NewNullLogger(), Clock: clock.NewFake(time.Unix(0, 0)), PartitionerTimeout: time.Minute, AssignorTimeout: time.Minute,
	})
	require.NoError(t, err)
	registry := prometheus.NewRegistry()
	registry.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{Name: "something", Help: "h"}))
	return Handler(Options{
		Modules: modules, Ready: func() error { return ready }, Gatherer: registry, Log: hclog.NewNullLogger(),
		Topic: func(name string) (partitioner.Topic, bool) {
			return partitioner.Topic{Name: name, Partitions: 4}, name == "four"
		},
		Group: func(id string) (step.Explanation, bool) {
			return step.Explanation{
				Group: id, Type: "consumer", State: "Reconciling", Epoch: 3, TargetEpoch: 2, Assignor: "uniform", DecidedAtMs: 5, Known: true, Fallback: true,
				Members: []step.ExplainedMember{{
					ID: "m", Client: step.Client{ID: "app", Host: "/::1"}, Topics: []string{"orders"}, Epoch: 1, Kept: 1,
					Partitions: []step.ExplainedPartition{{Topic: "orders", Partition: 2, State: step.PartitionAwaited, Holder: "n"}},
				}},
			}, id == "a&b"
		},
		Config: []Value{{"node.id", "1", "default"}},
	})
}

func call(t *testing.T, h http.Handler, method, path, body string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestPaths(t *testing.T) {
	const four = `"topic":"four","keys":["YQ==","",null]`
	for _, c := range []struct {
		method, path, body string
		code               int
		answer             string
	}{
		{"GET", "/healthz", "", 200, `{"status":"ok"}`},
		{"GET", "/readyz", "", 503, `{"error":"no controller yet","status":"unavailable"}`},
		{"GET", "/v1/config", "", 200, `{"values":[{"name":"node.id","value":"1","source":"default"}]}`},
		{"POST", "/healthz", "", 405, `{"error":"/healthz takes GET, not POST"}`},
		{"GET", "/v1/partition", "", 405, `{"error":"/v1/partition takes POST, not GET"}`},
		{"GET", "/v2", "", 404, `{"error":"nothing at /v2; there are /healthz, /readyz, /metrics, /v1/modules, /v1/config, /v1/group, /v1/partition, /v1/assign"}`},
		{"GET", "/v1/group", "", 400, `{"error":"name the group, as in /v1/group?id=readers"}`},
		{"GET", "/v1/group?id=nobody", "", 404, `{"error":"this broker coordinates no group \"nobody\""}`},
		{"GET", "/v1/group?id=a%26b", "", 200, `{"group":"a\u0026b","type":"consumer","state":"Reconciling","epoch":3,"target_epoch":2,"assignor":"uniform","leader":"","why":"",` +
			`"decided_at_ms":5,"known":true,"fallback":true,"failure":"","members":[{"id":"m","instance":"","client":"app","host":"/::1","rack":"","topics":["orders"],` +
			`"expression":"","assignor":"","epoch":1,"kept":1,"gained":0,"lost":0,"waits":false,"partitions":[{"topic":"orders","partition":2,"state":"awaited","holder":"n"}]}]}`},
		{"POST", "/v1/partition", `{"partitioner":"length",` + four + `}`, 200, `{"partitions":[1,0,3],"fallback":false}`},
		{"POST", "/v1/partition", `{"partitioner":"length","topic":"x","partitions":7,"keys":[null]}`, 200, `{"partitions":[6],"fallback":false}`},
		{"POST", "/v1/partition", `{"partitioner":"length","topic":"x","partitions":7,"keys":[null],"sizes":[-1]}`, 400, `{"error":"sizes: -1 is not allowed; it must be at least 0"}`},
		{"POST", "/v1/partition", `{"partitioner":"length","topic":"x","partitions":7} more`, 400, `{"error":"the body is not the JSON that /v1/partition takes: something follows it"}`},
		{"POST", "/v1/partition", `{"partitioner":"length","topic":"x","partitions":7,"keys":[]}`, 200, `{"partitions":[],"fallback":false}`},
		{"POST", "/v1/partition", `{"partitioner":"lenght",` + four + `}`, 404,
			`{"error":"partitioner: there is no partitioner \"lenght\"; this broker has length; did you mean \"length\"?"}`},
		{"POST", "/v1/partition", `{"partitioner":"length","topic":"five","keys":[]}`, 404,
			`{"error":"topic: there is no topic \"five\"; create it, or give partitions"}`},
		{"POST", "/v1/partition", `{"partitioner":"length","topic":"x","partitions":-1}`, 400,
			`{"error":"partitions: -1 is not allowed; it must be from 1 to 1000000, or 0 for those of the topic"}`},
		{"POST", "/v1/partition", `{"partitioner":"length","sizes":[1],` + four + `}`, 400,
			`{"error":"sizes: has 1 for 3 keys; give one for each, or none"}`},
		{"POST", "/v1/partition", `{"partitioner":"length","topic":"fail","partitions":1,"keys":[null]}`, 502,
			`{"error":"partitioner length failed, and there is no fallback: asked to fail"}`},
		{"POST", "/v1/partition", `{"kees":1}`, 400, `{"error":"the body is not the JSON that /v1/partition takes: json: unknown field \"kees\""}`},
		{"POST", "/v1/assign", `{"assignor":"first","snapshot":{"group":"g","members":[{"id":"a","topics":["t"],"user_data":"eA=="},{"id":"b"}],"topics":[{"name":"t","partitions":2}]}}`, 200,
			`{"assignment":{"members":[{"id":"a","partitions":[{"topic":"t","partitions":[0,1]}],"user_data":"eA=="},{"id":"b","partitions":[],"user_data":null}]},"fallback":false}`},
		{"POST", "/v1/assign", `{"assignor":"first","snapshot":{"members":[{"id":"b"},{"id":"a"}]}}`, 400,
			`{"error":"snapshot: members must be in ascending order of id, each once; \"a\" is not"}`},
		{"POST", "/v1/assign", `{"assignor":"first","snapshot":{"members":[{"id":"b","topics":["t"]}]}}`, 400,
			`{"error":"snapshot: member \"b\" subscribes to \"t\", which is not among the topics"}`},
		{"POST", "/v1/assign", `{"assignor":"first","snapshot":{"topics":[{"name":"a","partitions":1000000},{"name":"b","partitions":1}]}}`, 400,
			`{"error":"snapshot: the topics may have 1000000 partitions together at most"}`},
		{"POST", "/v1/assign", `{"assignor":"last"}`, 404, `{"error":"assignor: there is no assignor \"last\"; this broker has first"}`},
	} {
		t.Run(fmt.Sprintf("%s %s %d", c.method, c.path, c.code), func(t *testing.T) {
			code, answer := call(t, handler(t, errors.New("no controller yet")), c.method, c.path, c.body)
			require.Equal(t, c.answer, answer)
			require.Equal(t, c.code, code)
		})
	}
}

func TestReady(t *testing.T) {
	code, answer := call(t, handler(t, nil), "GET", "/readyz", "")
	require.Equal(t, 200, code)
	require.Equal(t, `{"status":"ok"}`, answer)
}

func TestMetrics(t *testing.T) {
	code, answer := call(t, handler(t, nil), "GET", "/metrics", "")
	require.Equal(t, 200, code)
	require.Contains(t, answer, "something 0")
}

func TestModulesAreReportedWithTheirCalls(t *testing.T) {
	h := handler(t, nil)
	call(t, h, "POST", "/v1/partition", `{"partitioner":"length","topic":"x","partitions":1,"keys":[null]}`)
	call(t, h, "POST", "/v1/partition", `{"partitioner":"length","topic":"fail","partitions":1,"keys":[null]}`)
	_, answer := call(t, h, "GET", "/v1/modules", "")
	require.JSONEq(t, `{"modules":[
		{"kind":"partitioner","name":"length","version":"1.2.3","binding":"subprocess","pid":42,"state":"running","restarts":1,
		 "calls":2,"errors":1,"fallbacks":0,"p50_us":0,"p99_us":0,"last_error":"asked to fail"},
		{"kind":"assignor","name":"first","version":"1.0.0","binding":"in-process","pid":0,"state":"running","restarts":0,
		 "calls":0,"errors":0,"fallbacks":0,"p50_us":0,"p99_us":0,"last_error":""}]}`, answer)
}

func TestBodyIsBounded(t *testing.T) {
	code, answer := call(t, handler(t, nil), "POST", "/v1/partition", `{"topic":"`+strings.Repeat("x", maxBodyBytes)+`"}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, code)
	require.Contains(t, answer, "ask in several requests")
}

func TestTheContractsOwnSnapshotIsTaken(t *testing.T) {
	body, err := json.Marshal(map[string]any{"assignor": "first", "snapshot": assignor.Snapshot{
		Members: []assignor.Member{{ID: "a", InstanceID: "i", Topics: []string{"t"}, Owned: []assignor.TopicPartitions{{Topic: "t"}}}},
		Topics:  []assignor.Topic{{Name: "t", Partitions: 1}},
	}})
	require.NoError(t, err)
	code, answer := call(t, handler(t, nil), "POST", "/v1/assign", string(body))
	require.Equal(t, 200, code, answer)
	var decoded struct{ Assignment assignor.Assignment }
	require.NoError(t, json.Unmarshal([]byte(answer), &decoded))
	require.Equal(t, []assignor.TopicPartitions{{Topic: "t", Partitions: []int32{0}}}, decoded.Assignment.Members[0].Partitions)
}

func TestServerStops(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	listener := server.Listener
	s := NewServer(Options{Log: hclog.NewNullLogger(), Gatherer: prometheus.NewRegistry()})
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	require.NoError(t, s.Shutdown(t.Context()))
	require.NoError(t, <-ended)
}
