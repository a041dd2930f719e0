package segment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// tellsAges requires that segments are as old as their batches.
func (o *opened) tellsAges(segments map[int64][]record.Batch, name string) {
	o.t.Helper()
	listed, err := o.log.Segments(o.t.Context())
	require.NoError(o.t, err, name)
	require.Len(o.t, listed, len(segments), name)
	for _, s := range listed {
		batches := segments[s.Base]
		require.Equal(o.t, batches[len(batches)-1].MaxTimestamp(), s.MaxTimestamp, "%s, segment %d", name, s.Base)
	}
}

// findsByTime requires that every batch is found by its timestamp.
func (o *opened) findsByTime(batches []record.Batch, name string) {
	o.t.Helper()
	for _, b := range batches {
		want := storage.Position{BaseOffset: b.BaseOffset(), Timestamp: b.MaxTimestamp()}
		at, ok, err := o.log.SeekTime(o.t.Context(), b.MaxTimestamp(), 1<<60)
		require.NoError(o.t, err, name)
		require.True(o.t, ok, name)
		require.Equal(o.t, want, at, name)
		at, ok, err = o.log.MaxTime(o.t.Context(), b.BaseOffset()+1)
		require.NoError(o.t, err, name)
		require.True(o.t, ok, name)
		require.Equal(o.t, want, at, name)
	}
}

// timeDamage is every way to break a time index that is tried: what is in the
// map by name, and each bit of it turned over.
func timeDamage(whole []byte) map[string][]byte {
	broken := map[string][]byte{
		"emptied":       {},
		"half":          whole[:len(whole)/timeEntrySize/2*timeEntrySize],
		"last one gone": whole[:len(whole)-timeEntrySize],
		"zeros behind":  append(append([]byte{}, whole...), make([]byte, 2*timeEntrySize)...),
		"all zeros":     make([]byte, len(whole)),
	}
	for at := range whole {
		for _, bit := range []int{0, 3, 7} {
			flipped := append([]byte{}, whole...)
			flipped[at] ^= 1 << bit
			broken[fmt.Sprintf("byte %d of %d bit %d", at, len(whole), bit)] = flipped
		}
	}
	return broken
}

// TestABrokenTimeIndexMisleadsNobody breaks the time index of a segment that is
// closed and of the active one, behind a clean stop.
func TestABrokenTimeIndexMisleadsNobody(t *testing.T) {
	disk, segments, _ := segmented(t, true)
	all := bases(segments)
	for _, base := range []int64{all[0], all[1], all[len(all)-1]} {
		path := "/data/orders-0/" + offsetName(base, timeIndexSuffix)
		whole, _, err := readFile(disk, path)
		require.NoError(t, err)
		require.NotEmpty(t, whole)
		for name, content := range timeDamage(whole) {
			name = fmt.Sprintf("segment %d, %s", base, name)
			for _, lookFirst := range []bool{true, false} {
				damaged := disk.CrashClone(vfs.KeepAll, 1)
				require.NoError(t, writeFile(damaged, path, content))
				o := start(t, damaged, small())
				if lookFirst {
					o.findsByTime(segments[base], name)
				}
				o.tellsAges(segments, name)
				o.findsByTime(segments[base], name)
				require.NoError(t, o.log.Close(t.Context()))
			}
		}
	}
}

// A time index that was found broken is right in the file again.
func TestABrokenTimeIndexIsMadeAnew(t *testing.T) {
	disk, segments, _ := segmented(t, true)
	base := bases(segments)[1]
	path := "/data/orders-0/" + offsetName(base, timeIndexSuffix)
	whole, _, err := readFile(disk, path)
	require.NoError(t, err)
	for _, content := range [][]byte{{}, whole[:timeEntrySize], append(append([]byte{}, whole[:len(whole)-10]...), make([]byte, 10)...)} {
		damaged := disk.CrashClone(vfs.KeepAll, 1)
		require.NoError(t, writeFile(damaged, path, content))
		o, log := told(t, damaged)
		require.NoError(t, o.openAs(topic))
		o.tellsAges(segments, "broken")
		o.findsByTime(segments[base], "broken")
		require.Equal(t, 1, strings.Count(log.String(), "time index is damaged"), log)
		again, _, err := readFile(damaged, path)
		require.NoError(t, err)
		require.Equal(t, whole, again)
		o.tellsAges(segments, "made anew")
		o.findsByTime(segments[base], "made anew")
		o.stop()
		o, log = told(t, damaged)
		require.NoError(t, o.openAs(topic))
		o.tellsAges(segments, "opened again")
		o.findsByTime(segments[base], "opened again")
		require.NotContains(t, log.String(), "damaged")
	}
}

// A read that goes on behind a segment looks at its end, and so at its time index.
func TestATimeIndexThatAReadFindsBrokenIsMadeAnew(t *testing.T) {
	disk, segments, _ := segmented(t, true)
	path := inFolder(bases(segments)[1], timeIndexSuffix)
	whole, _, err := readFile(disk, path)
	require.NoError(t, err)
	require.NoError(t, writeFile(disk, path, nil))
	o := start(t, disk, small())
	o.read(0, 1<<20)
	again, _, err := readFile(disk, path)
	require.NoError(t, err)
	require.Equal(t, whole, again)
}

// An index has nothing to say of batches without timestamps, and the largest
// timestamp may be of the first batch.
func TestWhatATimeIndexMayLookLike(t *testing.T) {
	for name, stamp := range map[string]func(i int) int64{
		"undated":    func(int) int64 { return -1 },
		"descending": func(i int) int64 { return int64(100_000 - i) },
		"all alike":  func(int) int64 { return 5000 },
	} {
		disk := vfs.NewMem()
		o := start(t, disk, small())
		for i := range 60 {
			b := recordtest.Batch(recordtest.Spec{BaseOffset: int64(i), Records: recordtest.Values(stamp(i), "0123456789")})
			_, err := o.log.Append(t.Context(), storage.Append{Batches: b, Now: 1000})
			require.NoError(t, err)
		}
		before, err := o.log.Segments(t.Context())
		require.NoError(t, err)
		o.stop()
		o, log := told(t, disk)
		require.NoError(t, o.openAs(topic))
		require.Zero(t, o.recovery, name)
		after, err := o.log.Segments(t.Context())
		require.NoError(t, err)
		require.Equal(t, before, after, name)
		require.NotContains(t, log.String(), "damaged", name)
		o.stop()
	}
}
