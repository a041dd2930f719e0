package broker

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stuckEnv makes this binary a program that does not stop when it is asked to.
const stuckEnv = "TEST_STUCK_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(stuckEnv) != "" {
		ctx := UntilSignal()
		fmt.Println("running")
		<-ctx.Done()
		fmt.Println("asked to stop")
		select {}
	}
	os.Exit(m.Run())
}

// TestTheSecondSignalEndsTheProcess sends signals until one does. Those that come
// with the first are not the second.
func TestTheSecondSignalEndsTheProcess(t *testing.T) {
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), stuckEnv+"=1")
	stdout, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	said := bufio.NewScanner(stdout)
	require.True(t, said.Scan())
	require.Equal(t, "running", said.Text())
	began := time.Now()
	require.NoError(t, program.Process.Signal(syscall.SIGTERM))
	require.True(t, said.Scan())
	require.Equal(t, "asked to stop", said.Text())

	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	again := time.NewTicker(sentAsOne / 50)
	defer again.Stop()
	for err = nil; err == nil; {
		select {
		case err = <-ended:
		case <-again.C:
			_ = program.Process.Signal(syscall.SIGTERM) // it may have ended by now
		}
	}
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 128+int(syscall.SIGTERM), exit.ExitCode())
	require.GreaterOrEqual(t, time.Since(began), sentAsOne)
}
