package sample

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDifferenceSeesEverything(t *testing.T) {
	require.NoError(t, Difference(Records(1), Records(1)), "the same seed, the same records")
	require.Error(t, Difference(Records(1), Records(2)))
	for name, change := range map[string]func([]Record){
		"offset":       func(r []Record) { r[3].Offset++ },
		"timestamp":    func(r []Record) { r[3].Timestamp++ },
		"null key":     func(r []Record) { r[1].Key = []byte{} },
		"empty value":  func(r []Record) { r[4].Value = nil },
		"header name":  func(r []Record) { r[7].Headers[0].Name = "Trace" },
		"header value": func(r []Record) { r[9].Headers[0].Value = []byte{} },
		"header order": func(r []Record) { h := r[8].Headers; h[0], h[1] = h[1], h[0] },
	} {
		got := Records(1)
		change(got)
		require.Error(t, Difference(got, Records(1)), name)
	}
	require.ErrorContains(t, Difference(Records(1)[1:], Records(1)), "record 0 is")
	require.ErrorContains(t, Difference(Records(1)[:5], Records(1)), "5 records")
}
