package adminapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func listener(t *testing.T, status int, answer string) (*Client, *string) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("reading the request: %v", err)
		}
		got = r.Method + " " + r.URL.Path + " " + string(body)
		w.WriteHeader(status)
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return New(strings.TrimPrefix(server.URL, "http://")), &got
}

func TestPartitionKeepsNullApartFromEmpty(t *testing.T) {
	client, got := listener(t, http.StatusOK, `{"partitions":[2,0,1],"fallback":true}`)
	answer, err := client.Partition(t.Context(), PartitionRequest{
		Partitioner: "region", Topic: "orders", Keys: [][]byte{[]byte("k"), {}, nil}, Sizes: []int32{1, 0, 0},
	})
	require.NoError(t, err)
	require.Equal(t, PartitionAnswer{Partitions: []int32{2, 0, 1}, Fallback: true}, answer)
	require.Equal(t, `POST /v1/partition {"partitioner":"region","topic":"orders","keys":["aw==","",null],"sizes":[1,0,0]}`, *got)
}

func TestPartitionRefusesAnAnswerOfAnotherLength(t *testing.T) {
	client, _ := listener(t, http.StatusOK, `{"partitions":[2]}`)
	_, err := client.Partition(t.Context(), PartitionRequest{Keys: [][]byte{nil, nil}})
	require.ErrorContains(t, err, "1 partitions for 2 keys")
}

func TestModules(t *testing.T) {
	client, got := listener(t, http.StatusOK, `{"modules":[{"kind":"codec","name":"zstd","binding":"subprocess","pid":7,"p99_us":120}]}`)
	modules, err := client.Modules(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Module{{Kind: "codec", Name: "zstd", Binding: "subprocess", PID: 7, P99Us: 120}}, modules)
	require.Equal(t, "GET /v1/modules ", *got)
}

func TestErrorsSayWhatToDo(t *testing.T) {
	refusing, _ := listener(t, http.StatusNotFound, `{"error":"no partitioner \"regoin\"; did you mean \"region\"?"}`)
	_, err := refusing.Modules(t.Context())
	require.EqualError(t, err, `the broker refused /v1/modules: no partitioner "regoin"; did you mean "region"?`)

	stranger, _ := listener(t, http.StatusOK, `<html>`)
	_, err = stranger.Modules(t.Context())
	require.ErrorContains(t, err, "as an Odradek broker does")

	_, err = New("127.0.0.1:1").Modules(t.Context())
	require.ErrorContains(t, err, "--admin")
}
