package childlog

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"odradek.dev/sdk/clock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func logged(output string) (lines []string, last string) {
	var buf bytes.Buffer
	log := hclog.New(&hclog.LoggerOptions{Name: "codec/x", Output: &buf, Level: hclog.Trace, DisableTime: true})
	s := NewSink(log, "codec/x", clock.NewFake(time.Unix(0, 0)))
	s.ReadAll(strings.NewReader(output), nil)
	s.Close()
	return strings.Split(strings.TrimSuffix(buf.String(), "\n"), "\n"), s.Last()
}

func TestLines(t *testing.T) {
	long := strings.Repeat("z", maxLine)
	cases := map[string]struct{ output, line, last string }{
		"hclog":              {`{"@level":"warn","@message":"m","@module":"codec/x","@timestamp":"now","b":1,"a":"v w"}`, `[WARN]  codec/x: m: a="v w" b=1`, ""},
		"named":              {`{"@level":"error","@message":"m","@module":"codec/x.table"}`, `[ERROR] codec/x.table: m`, ""},
		"another's name":     {`{"@level":"error","@message":"m","@module":"broker"}`, `[ERROR] codec/x: m`, ""},
		"nested value":       {`{"@level":"info","@message":"m","list":[1,"\u001b"]}`, `[INFO]  codec/x: m: list="[1 \x1b]"`, ""},
		"message of 5":       {`{"@level":"info","@message":5}`, `[INFO]  codec/x: {"@level":"info","@message":5}`, ""},
		"unknown level":      {`{"@level":"loud","@message":"m"}`, `[INFO]  codec/x: {"@level":"loud","@message":"m"}`, ""},
		"broken JSON":        {`{"@level":`, `[INFO]  codec/x: {"@level":`, ""},
		"plain":              {"hello\r\n", `[INFO]  codec/x: hello`, "hello"},
		"control characters": {"a\x1b[2Jb\x00\xff", `[INFO]  codec/x: a\x1b[2Jb\x00\xff`, `a\x1b[2Jb\x00\xff`},
		"no end":             {"hello", `[INFO]  codec/x: hello`, "hello"},
		"cut":                {long + "tail\n", `[INFO]  codec/x: ` + long + "... (5 bytes cut off)", long[:200]},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			lines, last := logged(test.output)
			require.Equal(t, []string{test.line}, lines)
			require.Equal(t, test.last, last)
		})
	}
}

func TestTraceOfAPanicIsAnErrorAndItsFirstLineIsKept(t *testing.T) {
	lines, last := logged("a print\n\npanic: no row 9\n\ngoroutine 1 [running]:\nmain.main()\n")
	require.Equal(t, []string{
		"[INFO]  codec/x: a print", "[ERROR] codec/x: panic: no row 9",
		"[ERROR] codec/x: goroutine 1 [running]:", "[ERROR] codec/x: main.main()",
	}, lines)
	require.Equal(t, "panic: no row 9", last)
}

func TestFloodIsDroppedAndCounted(t *testing.T) {
	lines, _ := logged(strings.Repeat("line\n", linesAtOnce+500))
	require.Len(t, lines, linesAtOnce+1)
	require.Equal(t, "[WARN]  codec/x: the module process writes too much; lines were dropped: lines=500", lines[linesAtOnce])
}

func TestLimiter(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLimiter(now)
	for range linesAtOnce {
		ok, _ := l.allow(now)
		require.True(t, ok)
	}
	for range 3 {
		ok, _ := l.allow(now)
		require.False(t, ok)
	}
	ok, dropped := l.allow(now.Add(time.Second / linesPerSecond))
	require.True(t, ok)
	require.EqualValues(t, 3, dropped)
	ok, _ = l.allow(now.Add(time.Second / linesPerSecond))
	require.False(t, ok)
	later := now.Add(time.Hour)
	passed := 0
	for range 2 * linesAtOnce {
		if ok, _ := l.allow(later); ok {
			passed++
		}
	}
	require.Equal(t, linesAtOnce, passed)
}

func TestInterceptTakesALine(t *testing.T) {
	var buf bytes.Buffer
	s := NewSink(hclog.New(&hclog.LoggerOptions{Output: &buf, DisableTime: true}), "codec/x", clock.Real())
	var taken []string
	s.ReadAll(strings.NewReader("one\ntwo\n"), func(line []byte) bool {
		taken = append(taken, string(line))
		return string(line) == "one"
	})
	require.Equal(t, []string{"one", "two"}, taken)
	require.Equal(t, "[INFO]  two\n", buf.String())
}

func TestWriterEnds(t *testing.T) {
	var buf bytes.Buffer
	s := NewSink(hclog.New(&hclog.LoggerOptions{Output: &buf, DisableTime: true}), "codec/x", clock.Real())
	w, end := s.Writer()
	_, err := fmt.Fprint(w, "half a")
	require.NoError(t, err)
	_, err = fmt.Fprint(w, " line")
	require.NoError(t, err)
	end()
	require.Equal(t, "[INFO]  half a line\n", buf.String())
}
