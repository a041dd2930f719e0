package raft

import (
	"context"
	"fmt"
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

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

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

// stalled is a module with one entry whose disk has just been found full.
func stalled(t *testing.T, dir string) (r *Raft, disk *badDisk, hands *clock.Fake, epoch int64) {
	t.Helper()
	r, disk, hands = onBadDisk(t, dir)
	require.NoError(t, r.Start(t.Context()))
	appendText(t, r, "kept")
	epoch = leader(t, r)
	disk.fail(ofHalf, syscall.ENOSPC)
	_, err := r.Append(t.Context(), epoch, [][]byte{[]byte("refused")})
	require.ErrorIs(t, err, election.ErrStalled)
	return r, disk, hands, epoch
}

func TestAStopOnAFullDiskLosesNothing(t *testing.T) {
	dir := t.TempDir()
	r, disk, hands, _ := stalled(t, dir)
	triedAgain(t, disk, hands, 2)
	stop(t, r)
	_, err := r.Append(t.Context(), 1, [][]byte{[]byte("too late")})
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
	r, disk, hands, epoch := stalled(t, dir)
	require.NoError(t, os.Remove(recoveryPointPath(dir)))
	require.NoError(t, os.Truncate(segments(t, dir)[0], 0))
	disk.mend()
	triedAgain(t, disk, hands, 1)
	_, err := r.Follow(t.Context(), election.Follow{After: 1, Leadership: election.Leadership{Leader: 1, Epoch: epoch}})
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
