package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Every thread of both processes runs where it is told to, and in the end where it
// ran before.
func TestAffinity(t *testing.T) {
	a, err := newAffinity()
	require.NoError(t, err)
	other := exec.Command("cat")
	input, err := other.StdinPipe() // it runs until this is closed
	require.NoError(t, err)
	require.NoError(t, other.Start())
	others := []int{other.Process.Pid}
	t.Cleanup(func() {
		require.NoError(t, a.together(others))
		require.NoError(t, input.Close())
		require.NoError(t, other.Wait())
	})

	require.NoError(t, a.apart(others))
	require.Equal(t, []unix.CPUSet{a.own}, affinitiesOf(t, os.Getpid()))
	require.Equal(t, []unix.CPUSet{a.rest}, affinitiesOf(t, others[0]))
	require.Equal(t, 1, a.own.Count())

	require.NoError(t, a.together(others))
	require.Equal(t, []unix.CPUSet{a.all}, affinitiesOf(t, os.Getpid()))
	require.Equal(t, []unix.CPUSet{a.all}, affinitiesOf(t, others[0]))
}

// affinitiesOf is the cores of the threads of a process, each set once.
func affinitiesOf(t *testing.T, pid int) (all []unix.CPUSet) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	require.NoError(t, err)
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		require.NoError(t, err)
		var cores unix.CPUSet
		require.NoError(t, unix.SchedGetaffinity(id, &cores))
		if !slices.Contains(all, cores) {
			all = append(all, cores)
		}
	}
	return all
}
