package frame

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"odradek.dev/sdk/module"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair returns the two ends of a socket.
func pair(t testing.TB) (host, child *net.UnixConn) {
	t.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	var ends [2]*net.UnixConn
	for i, fd := range fds {
		file := os.NewFile(uintptr(fd), "end")
		conn, err := net.FileConn(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		ends[i] = conn.(*net.UnixConn)
	}
	return ends[0], ends[1]
}

func newCaller(t testing.TB, conn *net.UnixConn) *Caller {
	t.Helper()
	c, err := NewCaller(conn)
	require.NoError(t, err)
	t.Cleanup(func() {
		c.Close()
		<-c.Done()
	})
	return c
}

func request(payload string, answer *string) Request {
	return Request{
		Op: OpCompress, Limit: 1 << 20,
		Encode: func(b []byte) []byte { return append(b, payload...) },
		Decode: func(b []byte) error { *answer = string(b); return nil },
	}
}

// startCall makes a call and returns its outcome later.
func startCall(t testing.TB, c *Caller) <-chan error {
	t.Helper()
	outcome := make(chan error, 1)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	go func() {
		defer cancel()
		var answer string
		outcome <- c.Call(ctx, request("hello", &answer))
	}()
	return outcome
}

// giveUpCall makes a call whose caller goes away before it is answered.
func giveUpCall(t testing.TB, c *Caller) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	outcome := make(chan error, 1)
	go func() {
		var answer string
		outcome <- c.Call(ctx, request("first", &answer))
	}()
	require.Eventually(t, func() bool { return inFlight(c) == 1 }, time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-outcome, context.Canceled)
}

func TestHeaderRoundTrip(t *testing.T) {
	var b [HeaderSize]byte
	want := header{payload: 7, id: 1 << 40, op: OpDecompress, status: statusError, timeout: 1500 * time.Microsecond}
	want.put(b[:])
	require.Equal(t, "0000001b"+"0000010000000000"+"03"+"01"+"0000"+"00000000000005dc", hex.EncodeToString(b[:]))
	got, err := parseHeader(b[:])
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestFailureRoundTrip(t *testing.T) {
	sentinel := module.NewError(module.Invalid, "codec.corrupt", "data is corrupt")
	for _, err := range []error{sentinel.With("at %d", 4), errors.New("plain"), module.Retriablef("later"), context.Canceled} {
		got, ok := parseFailure(appendFailure(nil, err))
		require.True(t, ok)
		want := module.AsError(err)
		require.Equal(t, &module.Error{Class: want.Class, Code: want.Code, Message: want.Message}, got)
	}
	long, ok := parseFailure(appendFailure(nil, errors.New(string(make([]byte, 1<<20)))))
	require.True(t, ok)
	require.Len(t, long.Message, maxMessage)
}

// TestWhatAHostRefuses writes bytes that no child may write to a caller with one
// call, number 1, in flight.
func TestWhatAHostRefuses(t *testing.T) {
	cases := map[string]struct{ hex, message string }{
		"text":              {hex.EncodeToString([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")), "frame length 1213486160"},
		"length of zero":    {"00000000" + "0000000000000001" + "02000000" + "0000000000000000", "frame length 0"},
		"negative length":   {"ffffffff" + "0000000000000001" + "02000000" + "0000000000000000", "frame length 4294967295"},
		"over the limit":    {"00100015" + "0000000000000001" + "02000000" + "0000000000000000", "answer of 1048577 bytes to call 1, which allows 1048576"},
		"unknown status":    {"00000014" + "0000000000000001" + "02020000" + "0000000000000000", "has status 2"},
		"reserved bytes":    {"00000014" + "0000000000000001" + "02000001" + "0000000000000000", "reserved bytes 0x0 0x1"},
		"call never made":   {"00000014" + "0000000000000002" + "02000000" + "0000000000000000", "answer to call 2, which was never made"},
		"call zero":         {"00000014" + "0000000000000000" + "02000000" + "0000000000000000", "answer to call 0"},
		"another operation": {"00000014" + "0000000000000001" + "03000000" + "0000000000000000", "answer of operation 3 to call 1 of operation 2"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			host, child := pair(t)
			defer child.Close() // the caller is what matters
			c := newCaller(t, host)
			outcome := startCall(t, c)
			_, err := child.Read(make([]byte, 100)) // the call is in flight
			require.NoError(t, err)
			raw, err := hex.DecodeString(test.hex)
			require.NoError(t, err)
			_, err = child.Write(raw)
			require.NoError(t, err)
			err = <-outcome
			require.ErrorIs(t, err, ErrProtocol)
			require.ErrorContains(t, err, test.message)
			<-c.Done()
			require.Equal(t, err, c.Err())
		})
	}
}

func TestAnswerThatIsNoError(t *testing.T) {
	for _, payload := range []string{"", "09", "00ffff", "000000ffff", "0000000000aa"} {
		host, child := pair(t)
		c := newCaller(t, host)
		outcome := startCall(t, c)
		_, err := child.Read(make([]byte, 100))
		require.NoError(t, err)
		body, err := hex.DecodeString(payload)
		require.NoError(t, err)
		frame := make([]byte, HeaderSize)
		header{payload: len(body), id: 1, op: OpCompress, status: statusError}.put(frame)
		_, err = child.Write(append(frame, body...))
		require.NoError(t, err)
		require.ErrorContains(t, <-outcome, "cannot be read")
		require.NoError(t, child.Close())
	}
}

func TestEndInTheMiddleOfAnAnswer(t *testing.T) {
	for _, n := range []int{0, 3, HeaderSize, HeaderSize + 2} {
		host, child := pair(t)
		c := newCaller(t, host)
		outcome := startCall(t, c)
		_, err := child.Read(make([]byte, 100))
		require.NoError(t, err)
		frame := make([]byte, HeaderSize+5)
		header{payload: 5, id: 1, op: OpCompress}.put(frame)
		_, err = child.Write(frame[:n])
		require.NoError(t, err)
		require.NoError(t, child.Close())
		require.ErrorIs(t, <-outcome, ErrClosed)
	}
}

func TestClaimedLengthIsNotAllocated(t *testing.T) {
	host, child := pair(t)
	claim := make([]byte, HeaderSize+10)
	header{payload: MaxPayload, id: 1, op: OpCompress}.put(claim)
	_, err := host.Write(claim)
	require.NoError(t, err)
	require.NoError(t, host.Close())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.ErrorContains(t, Serve(child, nil), "unexpected EOF")
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

func TestServeRefusesGarbage(t *testing.T) {
	host, child := pair(t)
	served := make(chan error)
	go func() { served <- Serve(child, nil) }()
	_, err := host.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	require.NoError(t, err)
	require.ErrorContains(t, <-served, "frame length")
	require.NoError(t, host.Close())
}

func TestServeAnswers(t *testing.T) {
	handlers := map[Op]Handler{
		OpCompress: func(_ context.Context, payload, out []byte) ([]byte, error) {
			return append(append(out, "echo "...), payload...), nil
		},
		OpDecompress: func(_ context.Context, payload, _ []byte) ([]byte, error) {
			return append([]byte("not what it was given, but long enough "), payload...), nil
		},
	}
	host, child := pair(t)
	served := make(chan error)
	go func() { served <- Serve(child, handlers) }()
	c := newCaller(t, host)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	var answer string
	require.NoError(t, c.Call(ctx, request("hello", &answer)))
	require.Equal(t, "echo hello", answer)

	for op, message := range map[Op]string{OpDecompress: "did not append", OpPartition: "operation 1 is unknown"} {
		r := request("hello", &answer)
		r.Op = op
		require.ErrorContains(t, c.Call(ctx, r), message)
	}
	require.ErrorContains(t, c.Call(context.Background(), request("hello", &answer)), "needs a deadline")
	past, cancelPast := context.WithDeadline(ctx, time.Now().Add(-time.Second))
	defer cancelPast()
	require.ErrorIs(t, c.Call(past, request("hello", &answer)), context.DeadlineExceeded)

	c.Close()
	require.NoError(t, <-served)
	require.ErrorIs(t, c.Call(ctx, request("hello", &answer)), ErrClosed)
}

func TestLateAnswersAreDropped(t *testing.T) {
	host, child := pair(t)
	defer child.Close() // the caller is what matters
	c := newCaller(t, host)
	giveUpCall(t, c)
	outcome := startCall(t, c)
	for _, id := range []uint64{1, 2} {
		frame := append(make([]byte, HeaderSize), "answer"...)
		header{payload: 6, id: id, op: OpCompress}.put(frame)
		_, err := child.Write(frame)
		require.NoError(t, err)
		if id == 1 {
			require.Eventually(t, func() bool { return c.Late() == 1 }, time.Minute, time.Millisecond)
			// The second call must be in flight before it is answered.
			_, err = child.Read(make([]byte, 1))
			require.NoError(t, err)
			require.Eventually(t, func() bool { return inFlight(c) == 1 }, time.Minute, time.Millisecond)
		}
	}
	require.NoError(t, <-outcome)
}

// A machine that stands still may show at once that an answer is there and that
// its deadline is past.
func TestAnAnswerThatIsThereIsTakenThoughTheTimeIsUp(t *testing.T) {
	host, child := pair(t)
	defer child.Close() // the caller is what matters
	c := newCaller(t, host)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	var answer string
	r := request("hello", &answer)
	for range 100 { // each time, not by luck
		id, pending, _, err := c.enlist(r)
		require.NoError(t, err)
		frame := append(make([]byte, HeaderSize), "answer"...)
		header{payload: 6, id: id, op: r.Op}.put(frame)
		_, err = child.Write(frame)
		require.NoError(t, err)
		require.Eventually(t, func() bool { return inFlight(c) == 0 }, time.Minute, time.Millisecond)
		answer = ""
		require.NoError(t, c.await(over, id, pending, r))
		require.Equal(t, "answer", answer)
	}
	require.Zero(t, c.Late())
	id, pending, _, err := c.enlist(r)
	require.NoError(t, err)
	require.ErrorIs(t, c.await(over, id, pending, r), context.Canceled)
}

func TestNothingIsSentForAContextThatHasEnded(t *testing.T) {
	host, child := pair(t)
	c := newCaller(t, host)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	cancel()
	for range 100 { // each time, not by luck
		var answer string
		require.ErrorIs(t, c.Call(ctx, request("too late", &answer)), context.Canceled)
	}
	c.Close()
	_, err := child.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	require.NoError(t, child.Close())
}

func TestEndInTheMiddleOfALateAnswer(t *testing.T) {
	host, child := pair(t)
	c := newCaller(t, host)
	giveUpCall(t, c)
	frame := make([]byte, HeaderSize)
	header{payload: 6, id: 1, op: OpCompress}.put(frame)
	_, err := child.Write(append(frame, "half"...))
	require.NoError(t, err)
	require.NoError(t, child.Close())
	<-c.Done()
	require.ErrorIs(t, c.Err(), ErrClosed)
}

func inFlight(c *Caller) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting)
}

func FuzzHeaderAndFailure(f *testing.F) {
	var b [HeaderSize]byte
	header{payload: 1, id: 1, op: OpPartition}.put(b[:])
	f.Add(b[:])
	f.Add(appendFailure(nil, ErrClosed))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) >= HeaderSize {
			if h, err := parseHeader(b); err == nil {
				require.True(t, h.payload >= 0 && h.payload <= MaxPayload && h.timeout <= maxTimeout)
			}
		}
		if e, ok := parseFailure(b); ok {
			again, ok := parseFailure(appendFailure(nil, e))
			require.True(t, ok && again.Class == e.Class)
		}
	})
}
