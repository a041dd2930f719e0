package record_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
)

func TestFieldsAreWrittenWhereTheyAreRead(t *testing.T) {
	b := recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(2, 5), Codec: 3, Transactional: true})
	before := b.Attributes()
	b.SetCompression(4)
	require.EqualValues(t, 4, b.Compression())
	require.True(t, b.Transactional(), "the other bits stay")
	b.SetCompression(3)
	require.Equal(t, before, b.Attributes())

	b.SetAttributes(b.Attributes() | 0x40 | 0x80 | -0x8000)
	require.True(t, b.HasDeleteHorizon())
	b.SetTimes(true, 9)
	require.Equal(t, []any{true, int64(9), true}, []any{b.LogAppendTime(), b.MaxTimestamp(), b.HasDeleteHorizon()})
	b.ClearDeleteHorizon()
	b.SetTimes(false, 7)
	require.Equal(t, before, b.Attributes(), "bits that mean nothing are gone")
	require.EqualValues(t, 7, b.MaxTimestamp())

	longer := append(b, 1, 2, 3)
	longer.SetSize()
	require.Equal(t, len(longer), longer.Size())
	longer.SetCRC()
	whole, rest, ok := record.Next(longer)
	require.True(t, ok)
	require.Empty(t, rest)
	require.True(t, whole.CRCValid())
}

// To Kafka any negative length of a key or a value is that of null, but that of
// the key of a header is no length.
func TestANegativeLengthIsNull(t *testing.T) {
	const minusOne, minusThree = 1, 5 // zig-zag
	for _, length := range []byte{minusOne, minusThree} {
		seen := 0
		err := record.Walk([]byte{12, 0, 0, 0, length, length, 0}, 1, func(r record.Record) error {
			require.Nil(t, r.Key)
			require.Nil(t, r.Value)
			seen++
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, 1, seen)
		require.ErrorIs(t, record.Walk([]byte{16, 0, 0, 0, 1, 1, 2, length, 1}, 1, func(record.Record) error { return nil }), record.ErrMalformed)
	}
}
