package procstat

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestGoneCountsAZombie(t *testing.T) {
	require.False(t, Gone(os.Getpid()))
	child := exec.Command("sh", "-c", "read line")
	input, err := child.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	require.False(t, Gone(child.Process.Pid))
	require.NoError(t, input.Close())
	// A zombie until it is waited for; systems without /proc do not tell, and
	// see it go only afterwards.
	if _, err := os.Stat("/proc/self/stat"); err == nil {
		require.Eventually(t, func() bool { return Gone(child.Process.Pid) }, time.Minute, time.Millisecond)
	}
	_ = child.Wait()
	require.True(t, Gone(child.Process.Pid))
}
