package codectest

import (
	"context"
	"embed"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
)

//go:embed testdata
var vectors embed.FS

// names of the codecs that Kafka knows, by attribute.
var names = []string{"none", "gzip", "snappy", "lz4", "zstd"}

// testGolden decompresses what the Java client wrote, within exactly the
// budget that it takes, and refuses it within one byte less.
func testGolden(t *testing.T, c codec.Codec) {
	attribute := c.Info().Attribute
	if int(attribute) >= len(names) || attribute == 0 {
		return
	}
	entries, err := vectors.ReadDir("testdata")
	require.NoError(t, err)
	seen := 0
	for _, entry := range entries {
		content, suffix, _ := strings.Cut(entry.Name(), ".")
		name, _, _ := strings.Cut(suffix, "-")
		want, known := payload(content)
		if !known || name != names[attribute] {
			continue
		}
		seen++
		t.Run(entry.Name(), func(t *testing.T) {
			src, err := vectors.ReadFile("testdata/" + entry.Name())
			require.NoError(t, err)
			got, err := c.Decompress(context.Background(), nil, src, len(want))
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
			if len(want) > 0 {
				_, err = c.Decompress(context.Background(), nil, src, len(want)-1)
				require.ErrorIs(t, err, codec.ErrOverBudget)
			}
		})
	}
	require.NotZero(t, seen, "no golden vectors for %s", names[attribute])
}
