package shape

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShapes(t *testing.T) {
	const definition = "id:int32 name:string?2-3@2+ data:bytes?1+@0-1 topics:[name:string partitions:[int32]]?2+ flag:bool"
	s, err := Parse(definition, 3)
	require.NoError(t, err)
	tests := map[string]struct {
		version int16
		body    []byte
		want    error
	}{
		"plain, with bytes":    {0, []byte{0, 0, 0, 1, 0, 0, 0, 1, 9, 0, 0, 0, 0, 1}, nil},
		"plain, with a string": {2, []byte{0, 0, 0, 1, 0, 1, 'a', 0, 0, 0, 1, 0, 1, 'b', 0, 0, 0, 1, 0, 0, 0, 7, 1}, nil},
		"null string and list": {2, []byte{0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, nil},
		"null bytes":           {1, []byte{0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1}, nil},
		"bytes not yet null":   {0, []byte{0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1}, errNull},
		"string no more null":  {4, []byte{0, 0, 0, 1, 0, 2, 2, 'b', 2, 0, 0, 0, 7, 0, 1, 0}, errNull},
		"list not yet null":    {1, []byte{0, 0, 0, 1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1}, errNull},
		"null name inside":     {2, []byte{0, 0, 0, 1, 0, 1, 'a', 0, 0, 0, 1, 0xff, 0xff, 0, 0, 0, 0, 1}, errNull},
		"null list inside":     {3, []byte{0, 0, 0, 1, 2, 'a', 2, 2, 'b', 0, 0, 1, 0}, errNull},
		"flexible":             {3, []byte{0, 0, 0, 1, 2, 'a', 2, 2, 'b', 2, 0, 0, 0, 7, 0, 1, 0}, nil},
		"with tags":            {3, []byte{0, 0, 0, 1, 0, 0, 1, 2, 0, 1, 9, 5, 0}, nil},
		"any length below 0":   {2, []byte{0, 0, 0, 1, 0xff, 0xfe, 0, 0, 0, 0, 1}, nil},
		"string too long":      {2, []byte{0, 0, 0, 1, 0, 99, 'a', 0, 0, 0, 0, 1}, errShort},
		"list too long":        {2, []byte{0, 0, 0, 1, 0, 0, 0x7f, 0xff, 0xff, 0xff, 1}, errCount},
		"tags too many":        {3, []byte{0, 0, 0, 1, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x07}, errCount},
		"tag too long":         {3, []byte{0, 0, 0, 1, 0, 0, 1, 1, 0, 99}, errShort},
		"varint too long":      {3, []byte{0, 0, 0, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0}, errVarint},
		"varint too large":     {3, []byte{0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x0f}, errVarint},
		"a byte behind":        {0, []byte{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}, errLong},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, s.Check(test.version, test.body), test.want)
		})
	}
}

// A compact length has room for strings that the plain one has none for.
func TestAStringHasALongestLength(t *testing.T) {
	s, err := Parse("name:string data:bytes", 0)
	require.NoError(t, err)
	of := func(name int) []byte {
		body := append(binary.AppendUvarint(nil, uint64(name+1)), make([]byte, name)...)
		body = append(binary.AppendUvarint(body, 1<<15+1), make([]byte, 1<<15)...)
		return append(body, 0)
	}
	require.NoError(t, s.Check(0, of(1<<15-1)))
	require.ErrorIs(t, s.Check(0, of(1<<15)), errString)
}

// An error says where the field begins that is wrong.
func TestWhatIsWrongIsLocated(t *testing.T) {
	s, err := Parse("id:int32 topics:[name:string partitions:[index:int32]]", 1)
	require.NoError(t, err)
	for want, body := range map[string][]byte{
		"id at byte 0 of its body: it ends before it is complete":                                   {0},
		"topics at byte 4 of its body: it claims more elements than it has bytes for":               {0, 0, 0, 0, 9, 1},
		"topics.name at byte 8 of its body: it is null, and may not be":                             {0, 0, 0, 0, 3, 1, 1, 0, 0},
		"topics.partitions at byte 7 of its body: it is null, and may not be":                       {0, 0, 0, 0, 2, 2, 'a', 0, 0},
		"topics.partitions.index at byte 8 of its body: it ends before it is complete":              {0, 0, 0, 0, 2, 2, 'a', 2, 0},
		"topics.tagged fields at byte 8 of its body: it claims more elements than it has bytes for": {0, 0, 0, 0, 2, 2, 'a', 1, 9, 0},
	} {
		require.EqualError(t, s.Check(1, body), want)
	}
}

func TestAnOptionalStructure(t *testing.T) {
	s, err := Parse("limit:int32 cursor:{topic:string at:int32}", 0)
	require.NoError(t, err)
	null := []byte{0, 0, 0, 1, 0xff, 0}
	present := []byte{0, 0, 0, 1, 1, 2, 'a', 0, 0, 0, 7, 0, 0}
	for _, body := range [][]byte{null, present} {
		require.NoError(t, s.Check(0, body))
		for n := range body {
			require.Error(t, s.Check(0, body[:n]), "cut at %d of %d", n, len(body))
		}
		require.ErrorIs(t, s.Check(0, append(body, 0)), errLong)
	}
}

func TestWhatIsNoShape(t *testing.T) {
	for _, definition := range []string{"a", "a:none", "a:[int32", "a:int32]", "A:int32", "a:int32@x", "a:[b:int32 c]", "a:int32@1-x", "a:{b:int32", "a:{b:int32]", "a:[b:int32}", "a:{int32}", "a:int32@", "a:int32?", "a:string?x", "a:{b:int32}?", "a:string@1+?"} {
		_, err := Parse(definition, 0)
		require.Error(t, err, definition)
	}
}

// Elements that are small on the wire and large in memory are bounded by it.
func TestTheBudgetHolds(t *testing.T) {
	s, err := Parse("topics:[name:string values:[string]]", 1)
	require.NoError(t, err)
	body := make([]byte, 1<<20)
	body[0], body[1], body[2], body[3] = 0, 2, 0x80, 0
	require.ErrorIs(t, s.Check(0, body), errBudget)
	w := walker{rest: body, size: len(body), budget: BudgetFor(len(body))}
	require.ErrorIs(t, w.structure(s.fields), errBudget)
	require.Len(t, w.rest, len(body)-4, "no element is walked over, the count is enough")
}

// The budget bounds the time too, counted in elements that are walked over: one
// that takes no byte on the wire costs as much as it takes in memory.
func TestElementsWithoutBytesAreBounded(t *testing.T) {
	s, err := Parse("outer:[inner:[later:int8@9+]]", 100)
	require.NoError(t, err)
	for _, f := range []field{s.fields[0], s.fields[0].element[0]} {
		require.GreaterOrEqual(t, f.cost, int64(8))
	}
	const inner = 1 << 16
	body := binary.BigEndian.AppendUint32(nil, inner)
	for range inner {
		body = binary.BigEndian.AppendUint32(body, inner)
	}
	w := walker{rest: body, size: len(body), budget: BudgetFor(len(body))}
	require.ErrorIs(t, w.structure(s.fields), errBudget)
	walked := (len(body) - len(w.rest)) / 4 * inner
	require.LessOrEqual(t, int64(walked), int64(BudgetFor(len(body)))/8+inner)
}
