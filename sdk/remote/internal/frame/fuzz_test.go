package frame

import (
	"context"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// answers is a stream of frames as a module process sends it.
func answers(payload string, ids ...uint64) []byte {
	var stream []byte
	for _, id := range ids {
		frame := append(make([]byte, HeaderSize), payload...)
		header{payload: len(payload), id: id, op: OpCompress}.put(frame)
		stream = append(stream, frame...)
	}
	return stream
}

// FuzzAnswers has a module process send anything to a host with one call in
// flight. The call ends, well only with an answer to it, and what is claimed
// is not allocated.
func FuzzAnswers(f *testing.F) {
	f.Add(answers("hello", 1))
	f.Add(answers("", 1, 2))
	f.Add(answers("hello", 1)[:HeaderSize+2])
	f.Add([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
	refusal := appendFailure(make([]byte, HeaderSize), ErrTooLarge)
	header{payload: len(refusal) - HeaderSize, id: 1, op: OpCompress, status: statusError}.put(refusal)
	f.Add(refusal)
	claim := make([]byte, HeaderSize)
	header{payload: 1 << 20, id: 1, op: OpCompress}.put(claim)
	f.Add(claim)
	f.Fuzz(func(t *testing.T, sent []byte) {
		host, child := pair(t)
		c, err := NewCaller(host)
		require.NoError(t, err)
		outcome := startCall(t, c)
		_, err = io.ReadFull(child, make([]byte, HeaderSize+len("hello")))
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = child.Write(sent) // the host may be gone by then
		require.NoError(t, child.Close())
		err = <-outcome
		<-c.Done()
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8*len(sent)+1<<18))
		if err == nil {
			h, parsed := parseHeader(sent)
			require.NoError(t, parsed)
			require.Equal(t, header{payload: h.payload, id: 1, op: OpCompress, timeout: h.timeout}, h)
			require.LessOrEqual(t, HeaderSize+h.payload, len(sent))
		}
	})
}

// FuzzRequests has a host send anything to a module process. Serving ends, and
// handlers see only whole payloads of their operation.
func FuzzRequests(f *testing.F) {
	request := append(make([]byte, HeaderSize), "payload"...)
	header{payload: 7, id: 1, op: OpCompress, timeout: time.Second}.put(request)
	f.Add(request)
	f.Add(append(append([]byte{}, request...), request...))
	f.Add(request[:HeaderSize+3])
	f.Add([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		host, child := pair(t)
		served := make(chan error, 1)
		seen := make(chan int, len(sent)/HeaderSize+1)
		go func() {
			served <- Serve(child, map[Op]Handler{OpCompress: func(_ context.Context, payload, out []byte) ([]byte, error) {
				seen <- len(payload)
				return out, nil
			}})
		}()
		drained := make(chan struct{})
		go func() {
			defer close(drained)
			_, _ = io.Copy(io.Discard, host) // ends with the far side
		}()
		_, _ = host.Write(sent) // it may be refused before it is all sent
		_ = host.CloseWrite()
		err := <-served
		<-drained
		_ = host.Close()
		close(seen)
		total := 0
		for payload := range seen {
			total += HeaderSize + payload
		}
		require.LessOrEqual(t, total, len(sent))
		if err == nil {
			require.True(t, len(sent) == 0 || len(sent) >= HeaderSize)
		}
	})
}
