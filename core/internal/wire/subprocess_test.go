package wire

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/wire/settings"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// withFallback adds the built-in partitioner, which here says one, and another
// like it.
func withFallback() []module.Factory {
	factories := wholeModules(new(journal), nil)
	for _, name := range []string{"sticky", "one"} {
		factories = append(factories, partitioner.Module(
			module.Descriptor{Name: name, Version: "1.0.0"}, func() module.NoSettings { return module.NoSettings{} },
			func(module.Env, module.NoSettings) (partitioner.Partitioner, error) {
				return constant{lived{name, new(journal)}, 1}, nil
			}))
	}
	return factories
}

// ask has the module partition one record, and tells whether it did so itself.
func ask(t *testing.T, admin string) (byItself bool) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Post("http://"+admin+"/v1/partition", "application/json",
		strings.NewReader(`{"partitioner":"zero","topic":"t","partitions":2,"keys":[null]}`))
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	switch strings.TrimSpace(string(body)) {
	case `{"partitions":[0],"fallback":false}`:
		return true
	case `{"partitions":[1],"fallback":true}`:
		return false
	}
	require.Failf(t, "neither the module nor the fallback answered", "%s", body)
	return false
}

type processReport struct {
	Name, Binding, State string
	PID, Restarts        int
	Fallbacks            int
}

func reportOf(t *testing.T, admin, name string) processReport {
	t.Helper()
	var answer struct{ Modules []processReport }
	_, body, ok := strings.Cut(get(admin, "/v1/modules"), " ")
	require.True(t, ok)
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	for _, m := range answer.Modules {
		if m.Name == name {
			return m
		}
	}
	require.Failf(t, "no such module", "%s", name)
	return processReport{}
}

func TestKilledModuleIsReplacedAndComesBack(t *testing.T) {
	app := newApp(t, withFallback(), "modules.partitioner.use=zero", "modules.partitioner.zero.run=subprocess",
		"log.level=off", "partitioner.call.timeout.ms=10000")
	stop := runApp(t, app)
	first := reportOf(t, app.AdminAddr(), "zero")
	require.Equal(t, "subprocess", first.Binding)
	require.Equal(t, "running", first.State)
	require.True(t, ask(t, app.AdminAddr()))

	require.NoError(t, syscall.Kill(first.PID, syscall.SIGKILL))
	// A machine that stalls may have the next one killed too.
	var again processReport
	for deadline := time.Now().Add(time.Minute); !ask(t, app.AdminAddr()) || again.Restarts == 0 || again.State != "running"; {
		again = reportOf(t, app.AdminAddr(), "zero")
		require.True(t, time.Now().Before(deadline), "%+v", again)
	}
	require.NotEqual(t, first.PID, again.PID)

	require.NoError(t, stop())
	require.ErrorIs(t, syscall.Kill(again.PID, 0), syscall.ESRCH)
}

func TestExecutableThatIsNotThereStopsTheStart(t *testing.T) {
	here, err := os.Getwd()
	require.NoError(t, err)
	for path, says := range map[string]string{
		"/nowhere/ours": "no such file or directory",
		"./ours":        "no such file or directory; the path is relative to where the broker is started, " + here,
		"ours-nowhere":  "write ./ours-nowhere for a file where the broker is started",
		"/etc/passwd":   "permission denied; chmod +x /etc/passwd, if it is a program",
	} {
		c, err := settings.Load(settings.Sources{File: "o.yaml", Text: []byte(
			"listeners: PLAINTEXT://127.0.0.1:0\nadmin.listener: ''\nlog.level: error\nmodules:\n  partitioner: {use: ours, exec: " + path + "}\n")})
		require.NoError(t, err)
		app, err := NewApp(c, withFallback())
		require.NoError(t, err)
		err = app.Run(t.Context())
		require.ErrorContains(t, err, "o.yaml:5: modules.partitioner.ours: module program "+path+" cannot be run")
		require.ErrorContains(t, err, says)
	}
}

// stands says that a process was stopped by a signal. Where there is no /proc
// it asks ps, which systems without it have.
func stands(t *testing.T, pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		_, state, found := strings.Cut(string(stat), ") ")
		return found && state[0] == 'T'
	}
	state, err := exec.Command("ps", "-o", "state=", "-p", strconv.Itoa(pid)).Output()
	require.NoError(t, err)
	return strings.HasPrefix(strings.TrimSpace(string(state)), "T")
}

// TestModulesThatHangDoNotKeepTheBroker stops more processes than the broker
// could wait for one after the other: it would give up over them, and say no more
// than that.
func TestModulesThatHangDoNotKeepTheBroker(t *testing.T) {
	names := []string{"zero", "sticky", "one"}
	require.Greater(t, time.Duration(len(names))*subprocessStopTimeout, stopTimeout)
	set := []string{"modules.partitioner.use=" + strings.Join(names, ","), "log.level=off"}
	for _, name := range names {
		set = append(set, "modules.partitioner."+name+".run=subprocess")
	}
	app := newApp(t, withFallback(), set...)
	stop := runApp(t, app)
	var pids []int
	for _, name := range names {
		pids = append(pids, reportOf(t, app.AdminAddr(), name).PID)
	}
	for _, pid := range pids {
		require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	}
	for _, pid := range pids {
		// Until all of its threads stand still it may answer.
		require.Eventually(t, func() bool { return stands(t, pid) }, time.Minute, time.Millisecond)
	}
	err := stop()
	for _, name := range names {
		require.ErrorContains(t, err, "module partitioner/"+name+" did not stop cleanly: the module process did not answer in time")
	}
	for _, pid := range pids {
		require.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH)
	}
}
