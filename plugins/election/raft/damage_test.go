package raft

import (
	"encoding/binary"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// sampleLog is the bytes of a segment whose records hold so many bytes each,
// and where each ends, beginning with 0.
func sampleLog(t testing.TB, sizes ...int) (data []byte, ends []int) {
	t.Helper()
	ends = []int{0}
	for n, size := range sizes {
		index := proto.Uint64(uint64(n) + 1)
		record, err := walRecord{
			hardState: &raftpb.HardState{Term: proto.Uint64(2), Vote: proto.Uint64(1), Commit: proto.Uint64(uint64(n))},
			entries:   []*raftpb.Entry{{Term: proto.Uint64(2), Index: index, Data: []byte(strings.Repeat("x", size))}},
		}.encode()
		require.NoError(t, err)
		data = append(binary.AppendUvarint(data, uint64(len(record))), record...)
		ends = append(ends, len(data))
	}
	return data, ends
}

// repaired is what repair makes of a log of these files.
func repaired(t testing.TB, durable uint64, contents map[string][]byte) (cut, vfs.FS, error) {
	t.Helper()
	files := vfs.NewMem()
	require.NoError(t, files.MkdirAll("/wal", 0o750))
	for name, content := range contents {
		require.NoError(t, writeSynced(files, path.Join("/wal", name), content))
	}
	c, err := repair(files, "/wal", durable)
	return c, files, err
}

// refused checks that the only file of a log is refused and left as it is.
func refused(t *testing.T, data []byte, durable uint64, want string) {
	t.Helper()
	_, files, err := repaired(t, durable, map[string][]byte{segmentNamed(1): data})
	name := path.Join("/wal", segmentNamed(1))
	require.ErrorContains(t, err, name)
	require.ErrorContains(t, err, want)
	require.ErrorContains(t, err, restore)
	require.Equal(t, module.Fatal, module.ClassOf(err))
	left, err := readFile(files, name)
	require.NoError(t, err)
	require.Equal(t, data, left)
}

// cutTo checks that the only file of a log is shortened to size.
func cutTo(t *testing.T, data []byte, durable uint64, size int) {
	t.Helper()
	c, files, err := repaired(t, durable, map[string][]byte{segmentNamed(1): data})
	require.NoError(t, err)
	name := path.Join("/wal", segmentNamed(1))
	left, err := readFile(files, name)
	require.NoError(t, err)
	require.Equal(t, data[:size], left)
	if size < len(data) {
		require.Equal(t, cut{path: name, at: int64(size), bytes: int64(len(data) - size)}, c)
	} else {
		require.Zero(t, c)
	}
}

// recordAt is the record, counted from 0, that a byte belongs to.
func recordAt(ends []int, at int) int {
	n, found := slices.BinarySearch(ends, at)
	if found {
		return n
	}
	return n - 1
}

// checkFlip flips a bit. Only the last record can
// be one that a crash tore, and it is not if it is known to have been durable.
func checkFlip(t *testing.T, data []byte, ends []int, at, bit int) {
	t.Helper()
	n := recordAt(ends, at)
	broken := slices.Clone(data)
	broken[at] ^= 1 << bit
	last := len(ends) - 2
	if n < last {
		refused(t, broken, 0, fmt.Sprintf("damaged at byte %d,", ends[n]))
		refused(t, broken, uint64(last), fmt.Sprintf("damaged at byte %d,", ends[n]))
		return
	}
	cutTo(t, broken, 0, ends[n])
	cutTo(t, broken, uint64(last), ends[n])
	refused(t, broken, uint64(last)+1, fmt.Sprintf("ends at byte %d after record %d, but had record %d", ends[n], n, n+1))
}

func TestEveryFlippedBitOfSmallRecords(t *testing.T) {
	data, ends := sampleLog(t, 0, 3, 0, 40, 1)
	for at := range data {
		for bit := range 8 {
			checkFlip(t, data, ends, at, bit)
		}
	}
}

// The header of a record is its length, of one to three bytes here, its
// checksum, and tag and length of its first field.
func TestEveryFlippedBitOfHeaders(t *testing.T) {
	data, ends := sampleLog(t, 20000, 0, 200, 20000, 130)
	for _, from := range ends[:len(ends)-1] {
		_, size := binary.Uvarint(data[from:])
		for at := from; at < from+size+4+2; at++ {
			for bit := range 8 {
				checkFlip(t, data, ends, at, bit)
			}
		}
	}
}

func TestEveryCutPosition(t *testing.T) {
	data, ends := sampleLog(t, 0, 3, 200, 0, 40)
	for size := range len(data) + 1 {
		n := 0
		for n+1 < len(ends) && ends[n+1] <= size {
			n++
		}
		for durable := range uint64(len(ends)) {
			if durable <= uint64(n) {
				cutTo(t, data[:size], durable, ends[n])
			} else {
				refused(t, data[:size], durable, fmt.Sprintf("ends at byte %d after record %d, but had record %d", ends[n], n, durable))
			}
		}
	}
}

// A hole of zeros in front of what is sound is damage; up to the end it is what
// a power cut leaves of a write.
func TestEveryHole(t *testing.T) {
	data, ends := sampleLog(t, 0, 3, 20, 0)
	last := ends[len(ends)-2]
	for from := range data {
		for to := from + 1; to <= len(data); to++ {
			holed := slices.Clone(data)
			clear(holed[from:to])
			at := from
			for at < to && holed[at] == data[at] {
				at++
			}
			n := recordAt(ends, at)
			switch {
			case at == to:
			case n < len(ends)-2 && slices.Equal(holed[last:], data[last:]):
				refused(t, holed, 0, fmt.Sprintf("damaged at byte %d,", ends[n]))
			default:
				cutTo(t, holed, uint64(n), ends[n])
				refused(t, holed, uint64(n)+1, fmt.Sprintf("ends at byte %d after", ends[n]))
			}
		}
	}
}

func TestDamageBeforeAnotherFile(t *testing.T) {
	data, ends := sampleLog(t, 5, 5, 5)
	whole := map[string][]byte{segmentNamed(1): data, segmentNamed(4): data, segmentNamed(7): nil}
	for name, change := range map[string]struct {
		first []byte
		want  string
	}{
		"whole":                {data, ""},
		"last record torn":     {data[:len(data)-1], fmt.Sprintf("%s is damaged at byte %d,", segmentNamed(1), ends[2])},
		"last record gone":     {data[:ends[2]], "lacks the file " + segmentNamed(3)},
		"more behind its last": {append(slices.Clone(data), 0), fmt.Sprintf("%s is damaged at byte %d,", segmentNamed(1), ends[3])},
	} {
		t.Run(name, func(t *testing.T) {
			contents := maps.Clone(whole)
			contents[segmentNamed(1)] = change.first
			_, _, err := repaired(t, 6, contents)
			if change.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, change.want)
			require.ErrorContains(t, err, restore)
		})
	}
}

// Whatever files are gone from the end is noticed by what was durable.
func TestTheNewestFilesAreMissing(t *testing.T) {
	data, ends := sampleLog(t, 5, 5, 5)
	_, _, err := repaired(t, 4, map[string][]byte{segmentNamed(1): data})
	require.ErrorContains(t, err, fmt.Sprintf("%s ends at byte %d after record 3, but had record 4", segmentNamed(1), ends[3]))
	_, _, err = repaired(t, 4, map[string][]byte{segmentNamed(1): data, segmentNamed(4): nil})
	require.ErrorContains(t, err, segmentNamed(4)+" ends at byte 0 after record 3, but had record 4")
	_, _, err = repaired(t, 1, nil)
	require.ErrorContains(t, err, "/wal has no files, but had record 1")
	_, _, err = repaired(t, 0, nil)
	require.NoError(t, err)
}

// A kill while the oldest records are dropped leaves a file that stands for all
// that come before it.
func TestAKillWhileTheLogIsShortened(t *testing.T) {
	data, ends := sampleLog(t, 5, 5, 5)
	start := segmentNamed(6) + ".START"
	for name, contents := range map[string]map[string][]byte{
		"nothing removed yet": {segmentNamed(1): data, segmentNamed(4): data, start: data[ends[2]:]},
		"the oldest removed":  {segmentNamed(4): data, start: data[ends[2]:]},
		"all removed":         {start: data[ends[2]:]},
		"removed in disorder": {segmentNamed(1): data, start: data[ends[2]:]},
		"a newer one follows": {segmentNamed(4): data, start: data[ends[2]:], segmentNamed(7): nil},
		"not put in place":    {segmentNamed(1): data, segmentNamed(4): data, start + ".TEMP": data[ends[2] : ends[2]+1]},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := repaired(t, 6, contents)
			require.NoError(t, err)
			_, _, err = repaired(t, 7, contents)
			require.ErrorContains(t, err, "after record 6, but had record 7")
		})
	}
}
