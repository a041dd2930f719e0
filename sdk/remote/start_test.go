package remote_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote"
	"odradek.dev/sdk/remote/remotetest"
)

func TestStartsThatFail(t *testing.T) {
	truncated := copyOf(t, 100_000)
	t.Setenv("TMPDIR", shortTempDir(t))
	cases := map[string]struct {
		change  func(*remote.Command)
		class   module.Class
		message string
	}{
		"no program":     {func(c *remote.Command) { c.Path = "" }, module.Invalid, "module partitioner/length has no program to run"},
		"missing":        {func(c *remote.Command) { c.Path = "/nowhere/at/all" }, module.Invalid, "module program /nowhere/at/all cannot be run"},
		"no interpreter": {func(c *remote.Command) { c.Path = scriptOf(t, "#!/nowhere/at/all\n") }, module.Invalid, "the interpreter that it names is not there"},
		"text":           {func(c *remote.Command) { c.Path = scriptOf(t, "hello\n") }, module.Invalid, "neither a program for this system nor a script"},
		"not executable": {func(c *remote.Command) { c.Path = "/etc/passwd" }, module.Invalid, "module program /etc/passwd cannot be run"},
		"truncated":      {func(c *remote.Command) { c.Path = truncated }, module.Fatal, truncated},
		"no module":      {func(c *remote.Command) { c.Path = "/bin/true" }, module.Fatal, "module partitioner/length in /bin/true did not start: the process exited with status 0 before it was ready"},
		"another name":   {func(c *remote.Command) { c.Name = "width" }, module.Invalid, "the program has no such module; it has [partitioner/length assignor/first codec/count]"},
		"another kind":   {func(c *remote.Command) { c.Kind = "connector" }, module.Invalid, `a module of kind "connector" cannot run in a process of its own`},
		"bad hash":       {func(c *remote.Command) { c.SHA256 = "5d41" }, module.Invalid, `sha256 "5d41" of module partitioner/length must be 64 hexadecimal digits`},
		"exits":          {start("exit"), module.Fatal, "the process exited with status 3 before it was ready; it wrote last: no licence for this module"},
		"future":         {start("future"), module.Fatal, "did not start: it does not speak version 1 of the protocol, as the broker does: build it with"},
		"settings":       {func(c *remote.Command) { c.Settings = map[string]any{"f": func() {}} }, module.Invalid, "the settings cannot be given to another process"},
		"silent": {func(c *remote.Command) { start("silence")(c); c.StartTimeout = 200 * time.Millisecond },
			module.Retriable, "did not start: it was not ready in time (it has 200ms)"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			command := remotetest.Command(t, testPartitioner(), nil)
			test.change(&command)
			_, err := remote.Launch(t.Context(), command)
			require.ErrorContains(t, err, test.message)
			require.Equal(t, test.class, module.ClassOf(err))
			require.Empty(t, entries(t, os.TempDir()))
		})
	}
}

func start(mode string) func(*remote.Command) {
	return func(c *remote.Command) { c.Env = []string{envStart + "=" + mode} }
}

func TestStartThatIsCancelled(t *testing.T) {
	command := remotetest.Command(t, testPartitioner(), nil)
	command.Env = []string{envStart + "=silence"}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := remote.Launch(ctx, command)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestOutputBeforeTheHandshakeIsLogged(t *testing.T) {
	log := newRecorder()
	command := remotetest.Command(t, testPartitioner(), nil)
	command.Env = []string{envStart + "=chatter"}
	command.Log = log.logger("partitioner/length")
	require.NoError(t, assign(t.Context(), remotetest.Launch(t, command), "t"))
	require.True(t, log.has("[INFO]  partitioner/length: a banner that a library prints"))
}

func TestHashIsCheckedAtEveryStart(t *testing.T) {
	program := copyOf(t, -1)
	sum := hashOf(t, program)
	command := remotetest.Command(t, testPartitioner(), nil)
	command.Path, command.SHA256 = program, strings.ToUpper(sum)
	for range 2 {
		p := remotetest.Launch(t, command)
		require.NoError(t, assign(t.Context(), p, "t"))
	}

	require.NoError(t, os.Rename(program, program+".good"))
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755))
	_, err := remote.Launch(t.Context(), command)
	require.EqualError(t, err, "module program "+program+" has sha256 "+hashOf(t, program)+
		", but the configuration wants "+sum+"; it was not started")
	require.Equal(t, module.Invalid, module.ClassOf(err))
}

func TestChildDoesNotSeeTheEnvironmentOfItsHost(t *testing.T) {
	t.Setenv("DATABASE_PASSWORD", "secret")
	script := scriptOf(t, "#!/bin/sh\nenv >&2\nexit 1\n")
	log := newRecorder()
	_, err := remote.Launch(t.Context(), remote.Command{
		Path: script, Kind: module.Codec, Name: "count", Log: log.logger("codec/count"), Env: []string{"GIVEN=yes"}, StartTimeout: time.Minute,
	})
	require.Error(t, err)
	require.True(t, log.has("[INFO]  codec/count: GIVEN=yes"))
	require.False(t, log.has("[INFO]  codec/count: DATABASE_PASSWORD"))
}

func TestModuleStartedByHandSaysWhatToDo(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), envHost+"=by hand")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 1, cmd.ProcessState.ExitCode())
	require.Contains(t, string(out), "modules:\n  partitioner:\n    - use: length\n      exec: "+self)
}

// copyOf copies the first n bytes of the test binary, all if n is negative.
// Another process writes the file, so that no descriptor that is open for
// writing can be inherited by a child that this one starts meanwhile.
func copyOf(t *testing.T, n int) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "module")
	copying := `cp "$1" "$2"`
	if n >= 0 {
		copying = fmt.Sprintf(`head -c %d "$1" > "$2"`, n)
	}
	out, err := exec.Command("/bin/sh", "-c", copying+` && chmod 755 "$2"`, "sh", self, path).CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

// scriptOf writes an executable file, by another process like copyOf.
func scriptOf(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "module")
	out, err := exec.Command("/bin/sh", "-c", `printf %s "$1" > "$2" && chmod 755 "$2"`, "sh", content, path).CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

func hashOf(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// shortTempDir is a folder whose name leaves room for that of a socket.
func shortTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}
