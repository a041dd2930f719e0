package record_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
)

func TestBlobsTellNullFromEmpty(t *testing.T) {
	for _, want := range [][][]byte{{nil}, {{}}, {nil, {}}, {{}, nil, []byte("a"), {}, nil}} {
		var blobs record.Blobs
		for _, b := range want {
			blobs.Append(b)
		}
		require.True(t, blobs.Valid())
		got := make([][]byte, blobs.Len())
		for i, b := range blobs.All() {
			got[i] = b
		}
		require.Equal(t, want, got)
	}
}

func TestBlobsWithForeignLengthsAreNotValid(t *testing.T) {
	for _, lens := range [][]int32{{-2}, {3}, {1}, {1, 2}, {-1}} {
		blobs := record.Blobs{Data: []byte("ab"), Lens: lens}
		require.False(t, blobs.Valid(), "%v", lens)
	}
}
