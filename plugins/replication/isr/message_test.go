package isr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzMessage(f *testing.F) {
	f.Add(message{kind: messageFetch, epoch: 3, offset: 9, lastEpoch: 2, safe: 8, hw: 7, session: 1, sequence: 5}.encode())
	f.Add([]byte{messageVersion, byte(messageKindEnd)})
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := decodeMessage(b); err == nil {
			require.Equal(t, b, m.encode())
		}
	})
}
