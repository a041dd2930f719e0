package raft

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/wal"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// place is where a disk can fail the log.
type place string

const (
	// ofHalf has a write leave half of what it was given.
	ofHalf place = "in the middle of a write"
	// ofNext has a write succeed, and the file that is begun after it not.
	ofNext     place = "where a segment is begun"
	ofSync     place = "at a sync"
	ofFolder   place = "at the sync of the folder"
	ofPoint    place = "at the recovery point"
	ofSnapshot place = "in a snapshot"
	ofRoom     place = "where room is looked for"
	ofShorten  place = "where the log is shortened"
)

// badDisk fails where a test has it fail, in this process only: the files are
// the machine's.
type badDisk struct {
	mu sync.Mutex
	// fails is asked at each place; nil is a disk that does not fail. In mu.
	fails func(place) error
	// opened counts how often the log was.
	opened atomic.Int64
}

func (d *badDisk) set(fails func(place) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fails = fails
}

// fail has every operation at one place fail until further notice.
func (d *badDisk) fail(at place, err error) {
	d.set(func(p place) error {
		if p == at {
			return err
		}
		return nil
	})
}

func (d *badDisk) mend() { d.set(nil) }

func (d *badDisk) at(p place) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fails == nil {
		return nil
	}
	return d.fails(p)
}

func (d *badDisk) open(dir string, o *wal.Options) (logFiles, error) {
	d.opened.Add(1)
	log, err := wal.Open(dir, o)
	return badLog{Log: log, disk: d, dir: dir}, err
}

// inject is for what goes through module.Env.
func (d *badDisk) inject(op vfs.Op) error {
	switch {
	case op.Kind == vfs.OpSyncDir && filepath.Base(op.Path) == "wal":
		return d.at(ofFolder)
	case op.Kind == vfs.OpWrite && filepath.Base(op.Path) == "recovery-point":
		return d.at(ofPoint)
	case op.Kind == vfs.OpWrite && filepath.Base(op.Path) == "room":
		return d.at(ofRoom)
	case op.Kind == vfs.OpWrite && filepath.Base(op.Path) == "snapshot.tmp":
		if err := d.at(ofSnapshot); err != nil {
			return &vfs.ShortWrite{Written: op.Bytes / 2, Err: err}
		}
	}
	return nil
}

// badLog fails as package os would have tidwall/wal fail.
type badLog struct {
	*wal.Log
	disk *badDisk
	dir  string
}

func (l badLog) Write(index uint64, data []byte) error {
	if err := l.disk.at(ofHalf); err != nil {
		framed := append(binary.AppendUvarint(nil, uint64(len(data))), data...)
		return errors.Join(&fs.PathError{Op: "write", Path: l.dir, Err: err}, appendToNewest(l.dir, framed[:len(framed)/2]))
	}
	if err := l.Log.Write(index, data); err != nil {
		return err
	}
	if err := l.disk.at(ofNext); err != nil {
		return &fs.PathError{Op: "open", Path: l.dir, Err: err}
	}
	return nil
}

func (l badLog) Sync() error {
	if err := l.disk.at(ofSync); err != nil {
		return &fs.PathError{Op: "sync", Path: l.dir, Err: err}
	}
	return l.Log.Sync()
}

func (l badLog) TruncateFront(index uint64) error {
	if err := l.disk.at(ofShorten); err != nil {
		return &fs.PathError{Op: "write", Path: l.dir, Err: err}
	}
	return l.Log.TruncateFront(index)
}

func appendToNewest(dir string, data []byte) error {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(slices.Max(files), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// onBadDisk builds a module on a disk that can fail, and the clock that its next
// try waits for.
func onBadDisk(t *testing.T, dir string) (*Raft, *badDisk, *clock.Fake) {
	t.Helper()
	disk, hands := &badDisk{}, clock.NewFake(time.Unix(1_000_000, 0))
	env := environment(dir)
	env.FS, env.Clock = vfs.WithFaults(vfs.OS(), disk.inject), hands
	r := build(t, env)
	r.openLog = disk.open
	return r, disk, hands
}

// triedAgain lets the module try to go on so many times.
func triedAgain(t *testing.T, disk *badDisk, hands *clock.Fake, times int64) {
	t.Helper()
	enough := disk.opened.Load() + times
	require.Eventually(t, func() bool {
		hands.Advance(stallPause)
		return disk.opened.Load() >= enough
	}, time.Minute, time.Millisecond)
}

// goesOn waits until a stalled module leads again, and returns the new epoch.
func goesOn(t *testing.T, r *Raft, hands *clock.Fake) int64 {
	t.Helper()
	require.Eventually(t, func() bool {
		hands.Advance(stallPause)
		return r.Health(t.Context()) == nil
	}, time.Minute, time.Millisecond)
	return leader(t, r)
}

// A full disk refuses changes and no more, wherever it strikes, and once there
// is room the log goes on by itself with all that was acknowledged.
func TestAFullDiskIsOverByItself(t *testing.T) {
	for _, where := range []place{ofHalf, ofNext, ofSync, ofFolder, ofPoint} {
		t.Run(string(where), func(t *testing.T) {
			dir := t.TempDir()
			r, disk, hands := onBadDisk(t, dir)
			require.NoError(t, r.Start(t.Context()))
			appendText(t, r, "kept")
			epoch := leader(t, r)

			disk.fail(where, syscall.ENOSPC)
			refused := strings.Repeat("x", minSegmentBytes)
			for range 3 {
				_, err := r.Append(t.Context(), epoch, [][]byte{[]byte(refused)})
				require.ErrorIs(t, err, election.ErrStalled)
				require.ErrorContains(t, err, "no space left on device")
				require.ErrorContains(t, err, "make room")
				require.ErrorIs(t, r.Health(t.Context()), election.ErrStalled)
				require.Equal(t, []string{"kept"}, wholeLog(t, r), "what is committed is shown")
				triedAgain(t, disk, hands, 2)
			}
			require.Equal(t, epoch, leader(t, r), "no epoch is shown that is not written")

			disk.mend()
			require.Greater(t, goesOn(t, r, hands), epoch)
			_, err := r.Append(t.Context(), epoch, [][]byte{[]byte("planned before")})
			require.ErrorIs(t, err, election.ErrNotLeader)
			appendText(t, r, "after", "it")
			log := wholeLog(t, r)
			if n := slices.Index(log, refused); n >= 0 {
				require.Equal(t, 1, n, "what was on the disk already keeps its place")
				require.Equal(t, []string{"kept", "after", "it"}, slices.Delete(slices.Clone(log), n, n+1))
			} else {
				require.Equal(t, []string{"kept", "after", "it"}, log)
			}
			stop(t, r)
			again := start(t, dir)
			require.Equal(t, log, wholeLog(t, again))
			stop(t, again)
		})
	}
}

func TestASnapshotOnAFullDisk(t *testing.T) {
	for _, where := range []place{ofSnapshot, ofHalf, ofPoint, ofShorten} {
		t.Run(string(where), func(t *testing.T) {
			dir := t.TempDir()
			r, disk, hands := onBadDisk(t, dir)
			require.NoError(t, r.Start(t.Context()))
			appendText(t, r, "a", "b", "c")
			disk.fail(where, syscall.ENOSPC)
			err := r.SaveSnapshot(t.Context(), 2, []byte(`["a","b"]`))
			require.ErrorContains(t, err, "no space left on device")
			require.Equal(t, module.Retriable, module.ClassOf(err))
			require.NoFileExists(t, snapshotPath(dir)+".tmp", "it would take room")
			require.Equal(t, []string{"a", "b", "c"}, wholeLog(t, r))
			disk.mend()
			goesOn(t, r, hands)
			appendText(t, r, "d")
			require.NoError(t, r.SaveSnapshot(t.Context(), 3, []byte(`["a","b","c"]`)))
			appendText(t, r, "e")
			stop(t, r)
			again := start(t, dir)
			require.Equal(t, []string{"a", "b", "c", "d", "e"}, wholeLog(t, again))
			stop(t, again)
		})
	}
}

func TestAStartOnAFullDiskWaitsForRoom(t *testing.T) {
	dir := t.TempDir()
	stoppedLog(t, dir, "first")
	r, disk, hands := onBadDisk(t, dir)
	disk.fail(ofHalf, syscall.EDQUOT)
	require.NoError(t, r.Start(t.Context()))
	triedAgain(t, disk, hands, 3)
	require.ErrorContains(t, r.Health(t.Context()), "quota")
	status, err := r.Status(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, -1, status.Leadership.Leader)
	disk.mend()
	goesOn(t, r, hands)
	require.Equal(t, []string{"first", "first'"}, wholeLog(t, r))
	stop(t, r)
}

// What little room is left is not used up by trying.
func TestTheLogIsNotOpenedBeforeThereIsRoom(t *testing.T) {
	dir := t.TempDir()
	r, disk, hands := onBadDisk(t, dir)
	require.NoError(t, r.Start(t.Context()))
	epoch := leader(t, r)
	var looked atomic.Int64
	disk.set(func(p place) error {
		if p == ofRoom {
			looked.Add(1)
		}
		return syscall.ENOSPC
	})
	_, err := r.Append(t.Context(), epoch, [][]byte{[]byte("refused")})
	require.ErrorIs(t, err, election.ErrStalled)
	require.Eventually(t, func() bool {
		hands.Advance(stallPause)
		return looked.Load() > 3
	}, time.Minute, time.Millisecond)
	require.EqualValues(t, 1, disk.opened.Load())
	disk.mend()
	require.Equal(t, epoch+1, goesOn(t, r, hands))
	require.NoFileExists(t, filepath.Join(dir, "room"))
	stop(t, r)
}

func TestAStopOnAFullDiskLosesNothing(t *testing.T) {
	dir := t.TempDir()
	r, disk, hands := onBadDisk(t, dir)
	require.NoError(t, r.Start(t.Context()))
	appendText(t, r, "kept")
	epoch := leader(t, r)
	disk.fail(ofHalf, syscall.ENOSPC)
	_, err := r.Append(t.Context(), epoch, [][]byte{[]byte("refused")})
	require.ErrorIs(t, err, election.ErrStalled)
	triedAgain(t, disk, hands, 2)
	stop(t, r)
	_, err = r.Append(t.Context(), 1, [][]byte{[]byte("too late")})
	require.ErrorIs(t, err, errStopped)
	again := start(t, dir)
	require.Equal(t, []string{"kept"}, wholeLog(t, again))
	stop(t, again)
}

// Of what is scarce there may be more later, and nothing else is waited for.
func TestADiskThatFailsEndsTheLog(t *testing.T) {
	for _, where := range []place{ofHalf, ofNext, ofSync, ofFolder, ofPoint} {
		t.Run(string(where), func(t *testing.T) {
			dir := t.TempDir()
			r, disk, _ := onBadDisk(t, dir)
			require.NoError(t, r.Start(t.Context()))
			appendText(t, r, "kept")
			disk.fail(where, syscall.EIO)
			_, err := r.Append(t.Context(), leader(t, r), [][]byte{make([]byte, minSegmentBytes)})
			require.ErrorIs(t, err, syscall.EIO)
			require.Equal(t, module.Fatal, module.ClassOf(err))
			_, err = r.Follow(t.Context(), election.Follow{})
			require.ErrorIs(t, err, syscall.EIO)
			require.ErrorIs(t, r.Stop(t.Context()), syscall.EIO)
			require.EqualValues(t, 1, disk.opened.Load())
			again := start(t, dir)
			require.Equal(t, "kept", wholeLog(t, again)[0])
			stop(t, again)
		})
	}
}

// The disk gets worse while room is waited for.
func TestADiskThatFailsWhileItIsFull(t *testing.T) {
	r, disk, hands := onBadDisk(t, t.TempDir())
	require.NoError(t, r.Start(t.Context()))
	epoch := leader(t, r)
	disk.fail(ofHalf, syscall.ENOSPC)
	_, err := r.Append(t.Context(), epoch, [][]byte{[]byte("refused")})
	require.ErrorIs(t, err, election.ErrStalled)
	disk.fail(ofSync, syscall.EIO)
	triedAgain(t, disk, hands, 1)
	_, err = r.Follow(t.Context(), election.Follow{Leadership: election.Leadership{Leader: 1, Epoch: epoch}})
	require.ErrorIs(t, err, syscall.EIO)
	require.ErrorIs(t, r.Stop(t.Context()), syscall.EIO)
}

// Somebody takes the files away while room is waited for.
func TestALogThatComesBackShorterIsRefused(t *testing.T) {
	dir := t.TempDir()
	r, disk, hands := onBadDisk(t, dir)
	require.NoError(t, r.Start(t.Context()))
	appendText(t, r, "kept")
	epoch := leader(t, r)
	disk.fail(ofHalf, syscall.ENOSPC)
	_, err := r.Append(t.Context(), epoch, [][]byte{[]byte("refused")})
	require.ErrorIs(t, err, election.ErrStalled)
	require.NoError(t, os.Remove(recoveryPointPath(dir)))
	require.NoError(t, os.Truncate(segments(t, dir)[0], 0))
	disk.mend()
	triedAgain(t, disk, hands, 1)
	_, err = r.Follow(t.Context(), election.Follow{After: 1, Leadership: election.Leadership{Leader: 1, Epoch: epoch}})
	require.ErrorContains(t, err, "ends at entry 0, but 1 was committed")
	require.ErrorContains(t, r.Stop(t.Context()), restore)
}

// Four write while the disk fills up again and again. What was acknowledged is
// there, in order and once, and each append whole.
func TestNothingAcknowledgedIsLostOnADiskThatFillsUp(t *testing.T) {
	dir := t.TempDir()
	r, disk, hands := onBadDisk(t, dir)
	require.NoError(t, r.Start(t.Context()))
	asked := map[place]int{}
	every := map[place]int{ofHalf: 7, ofNext: 11, ofSync: 13, ofPoint: 17, ofFolder: 3}
	disk.set(func(p place) error {
		if asked[p]++; every[p] > 0 && asked[p]%every[p] == 0 {
			return syscall.ENOSPC
		}
		return nil
	})
	var mu sync.Mutex
	acknowledged := map[int64]string{}
	var writers sync.WaitGroup
	for writer := range 4 {
		writers.Go(func() {
			for n := range 40 {
				text := fmt.Sprintf("%d.%d.%s", writer, n, strings.Repeat("x", n*200))
				index := appendUntilDone(t, r, text)
				mu.Lock()
				acknowledged[index] = text
				mu.Unlock()
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	require.Eventually(t, func() bool {
		hands.Advance(stallPause)
		select {
		case <-done:
			return true
		default:
			return false
		}
	}, time.Minute, time.Millisecond)
	disk.mend()
	stop(t, r)
	require.Greater(t, disk.opened.Load(), int64(20))

	again := start(t, dir)
	log := wholeLog(t, again)
	require.Len(t, acknowledged, 160, "no two appends were told the same index")
	for index, text := range acknowledged {
		require.LessOrEqual(t, index, int64(len(log)))
		require.Equal(t, []string{text, text + "'"}, log[index-2:index])
	}
	for n := 0; n+1 < len(log); n += 2 {
		require.Equal(t, log[n]+"'", log[n+1], "an append is there in half")
	}
	stop(t, again)
}

// appendUntilDone appends a pair under whatever epoch holds, until one attempt is
// acknowledged.
func appendUntilDone(t *testing.T, r *Raft, text string) int64 {
	for {
		status, err := r.Status(context.Background())
		if !assert.NoError(t, err) {
			return 0
		}
		last, err := r.Append(context.Background(), status.Leadership.Epoch, [][]byte{[]byte(text), []byte(text + "'")})
		if err == nil {
			return last
		}
		if !assert.Equal(t, module.Retriable, module.ClassOf(err), "%v", err) {
			return 0
		}
	}
}
