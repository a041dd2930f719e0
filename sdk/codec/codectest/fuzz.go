package codectest

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"odradek.dev/sdk/codec"
)

// fuzzBudget is small, so that the fuzzer finds inputs over it.
const fuzzBudget = 1 << 14

// FuzzDecompress is the body of a fuzz target: whatever the input, Decompress
// gives at most the budget or one of the two errors, and on the way takes no
// more memory than the budget and eight times the input.
func FuzzDecompress(f *testing.F, c codec.Codec) {
	for _, content := range contents() {
		packed, err := c.Compress(context.Background(), nil, content, codec.LevelDefault)
		if err != nil {
			f.Fatal(err)
		}
		if len(packed) < 4096 {
			f.Add(packed)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var got []byte
		var err error
		used := leastAllocated(fuzzBudget, func() {
			got, err = c.Decompress(context.Background(), []byte("before"), src, fuzzBudget)
		})
		switch {
		case used > fuzzBudget+bombSlack+8*uint64(len(src)):
			t.Fatalf("%d bytes allocated for an input of %d and a budget of %d", used, len(src), fuzzBudget)
		case err == nil && (len(got) > len("before")+fuzzBudget || !bytes.HasPrefix(got, []byte("before"))):
			t.Fatalf("%d bytes within a budget of %d", len(got), fuzzBudget)
		case err != nil && !errors.Is(err, codec.ErrCorrupt) && !errors.Is(err, codec.ErrOverBudget):
			t.Fatalf("undeclared error: %v", err)
		}
	})
}

// FuzzRoundTrip is the body of a fuzz target: what is compressed at any level
// comes back.
func FuzzRoundTrip(f *testing.F, c codec.Codec) {
	f.Add([]byte("odradek"), 0)
	f.Add(Text(2_000), 9)
	f.Add(Noise(300), -1)
	info := c.Info()
	f.Fuzz(func(t *testing.T, content []byte, level int) {
		packed, err := c.Compress(context.Background(), nil, content, level)
		if err != nil {
			if !errors.Is(err, codec.ErrLevel) || level >= info.MinLevel && level <= info.MaxLevel {
				t.Fatalf("level %d: %v", level, err)
			}
			return
		}
		got, err := c.Decompress(context.Background(), nil, packed, len(content))
		if err != nil || !bytes.Equal(got, content) {
			t.Fatalf("level %d: %d bytes came back as %d, error %v", level, len(content), len(got), err)
		}
	})
}
