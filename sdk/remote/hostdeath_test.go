package remote_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote"
)

// envHost makes the test binary a host of modules that a test can kill.
const envHost = "ODRADEK_TEST_HOST"

func runTestHost(mode string) {
	if mode == "by hand" {
		remote.Serve(testPartitioner())
	}
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	for _, factory := range []module.Factory{testPartitioner(), testAssignor(), testCodec()} {
		d := factory.Descriptor()
		command := remote.Command{Path: self, Kind: d.Kind, Name: d.Name, StartTimeout: time.Minute}
		if mode == "starting" {
			// It is in the middle of its start for as long as it lives.
			command.Env = []string{envStart + "=silence"}
			fmt.Println("0")
		}
		p, err := remote.Launch(context.Background(), command)
		if err != nil {
			panic(err)
		}
		fmt.Println(p.PID())
	}
	select {}
}

// startHost returns a host and the pids of its modules.
func startHost(t *testing.T, mode string, modules int) (*exec.Cmd, []int) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	host := exec.Command(self)
	host.Env = append(os.Environ(), envHost+"="+mode)
	out, err := host.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, host.Start())
	var pids []int
	lines := bufio.NewScanner(out)
	for len(pids) < modules && lines.Scan() {
		pid, err := strconv.Atoi(lines.Text())
		require.NoError(t, err)
		pids = append(pids, pid)
	}
	require.Len(t, pids, modules)
	return host, pids
}

func TestNothingIsLeftOfAHostThatIsKilled(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		t.Run(fmt.Sprintf("modules stopped %t", stopped), func(t *testing.T) {
			if stopped && !hasDeathSignal {
				return // only the kernel can end a process that does not run
			}
			tmp := shortTempDir(t)
			t.Setenv("TMPDIR", tmp)
			host, pids := startHost(t, "serving", 3)
			for _, pid := range pids {
				if stopped {
					require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
				}
			}
			require.NoError(t, host.Process.Kill())
			require.Error(t, host.Wait())
			require.Eventually(t, func() bool { return gone(pids) && len(entries(t, tmp)) == 0 }, time.Minute, 5*time.Millisecond)
		})
	}
}

func TestNextStartRemovesWhatAKilledStartHasLeft(t *testing.T) {
	tmp := shortTempDir(t)
	t.Setenv("TMPDIR", tmp)
	host, _ := startHost(t, "starting", 1)
	require.Eventually(t, func() bool { return len(entries(t, tmp)) == 1 }, time.Minute, time.Millisecond)
	require.NoError(t, host.Process.Kill())
	require.Error(t, host.Wait())
	other, pids := startHost(t, "serving", 3)
	require.Empty(t, entries(t, tmp))
	require.NoError(t, other.Process.Kill())
	require.Error(t, other.Wait())
	require.Eventually(t, func() bool { return gone(pids) }, time.Minute, 5*time.Millisecond)
}

// entries lists what hosts have left in dir.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "odradek-socket-*"))
	require.NoError(t, err)
	return found
}

// gone reports whether no process of pids runs. One that has ended and that
// nobody has waited for yet is gone too.
func gone(pids []int) bool {
	for _, pid := range pids {
		state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
		if err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z") {
			return false
		}
	}
	return true
}
