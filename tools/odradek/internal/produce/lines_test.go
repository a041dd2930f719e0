package produce

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func readAll(t *testing.T, l *lines) ([]string, error) {
	t.Helper()
	var all []string
	for {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		require.NotNil(t, line, "an empty line is an empty value, not a null one")
		all = append(all, string(line))
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*readBufferBytes)
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"nothing", "", nil},
		{"one", "a\n", []string{"a"}},
		{"no final newline", "a\nb", []string{"a", "b"}},
		{"empty lines", "\n\na\n\n", []string{"", "", "a", ""}},
		{"carriage return is kept", "a\r\nb\r\n", []string{"a\r", "b\r"}},
		{"longer than the read buffer", long + "\nb\n", []string{long, "b"}},
		{"exactly the limit", strings.Repeat("y", 4*readBufferBytes) + "\n", []string{strings.Repeat("y", 4*readBufferBytes)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, reader := range []io.Reader{strings.NewReader(test.input), iotest.OneByteReader(strings.NewReader(test.input))} {
				got, err := readAll(t, newLines("input", reader, 4*readBufferBytes))
				require.NoError(t, err)
				require.Equal(t, test.want, got)
			}
		})
	}
}

func TestLinesRefusesALongLineByNumber(t *testing.T) {
	got, err := readAll(t, newLines("words.txt", strings.NewReader("one\ntwo\nthreeee\nfour\n"), 6))
	require.Equal(t, []string{"one", "two"}, got)
	require.ErrorContains(t, err, "line 3 of words.txt is longer than 6 bytes")
	require.ErrorContains(t, err, "--max-message-bytes")
}

func TestLinesReportsAReadError(t *testing.T) {
	_, err := readAll(t, newLines("words.txt", iotest.ErrReader(errors.New("disk on fire")), 6))
	require.ErrorContains(t, err, "reading words.txt: disk on fire")
}
