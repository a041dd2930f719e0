package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// stuckEnv makes this binary a program that does not stop when it is asked to.
const stuckEnv = "TEST_STUCK_PROGRAM"

func stuckProgram() {
	ctx := untilSignal()
	fmt.Println("running")
	<-ctx.Done()
	fmt.Println("asked to stop")
	select {}
}

func TestTheSecondSignalEndsTheProcess(t *testing.T) {
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), stuckEnv+"=1")
	stdout, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	said := bufio.NewScanner(stdout)
	for _, want := range []string{"running", "asked to stop"} {
		require.True(t, said.Scan())
		require.Equal(t, want, said.Text())
		require.NoError(t, program.Process.Signal(syscall.SIGTERM))
	}
	var exit *exec.ExitError
	require.ErrorAs(t, program.Wait(), &exit)
	require.Equal(t, 128+int(syscall.SIGTERM), exit.ExitCode())
}
