package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/broker"
	"odradek.dev/sdk/remote"

	"odradek.dev/tools/brokertest"
	"odradek.dev/tools/odradek/distribution"
)

// TestMain lets brokers of the tests start this binary as a module's process,
// as main does.
func TestMain(m *testing.M) {
	if remote.IsModuleProcess() {
		remote.Serve(distribution.Modules()...)
		return
	}
	os.Exit(m.Run())
}

// session is a broker and the commands of somebody who uses it.
type session struct {
	t      *testing.T
	broker brokertest.Running
}

func newSession(t *testing.T, set ...string) session {
	return session{t, brokertest.Start(t, broker.Sources{Set: set}, distribution.Modules()...)}
}

// output is what a command wrote.
type output struct{ stdout, stderr string }

// run runs one command line that has --bootstrap.
func (s session) run(stdin string, args ...string) (output, error) {
	return command(s.t, stdin, append(args, "--bootstrap", s.broker.Bootstrap)...)
}

// must is run for commands that succeed, and returns their standard output.
func (s session) must(stdin string, args ...string) string {
	s.t.Helper()
	out, err := s.run(stdin, args...)
	require.NoError(s.t, err, "odradek %s", strings.Join(args, " "))
	return out.stdout
}

// fails is run for commands that fail, and returns what they say.
func (s session) fails(stdin string, args ...string) string {
	s.t.Helper()
	_, err := s.run(stdin, args...)
	require.Error(s.t, err, "odradek %s", strings.Join(args, " "))
	return err.Error()
}

func command(t *testing.T, stdin string, args ...string) (output, error) {
	var stdout, stderr bytes.Buffer
	root := rootCommand("test", distribution.Modules())
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	return output{stdout.String(), stderr.String()}, err
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var value T
	require.NoError(t, json.Unmarshal([]byte(text), &value), "%s", text)
	return value
}

func TestBrokerThatIsDown(t *testing.T) {
	for _, args := range [][]string{{"topic", "list"}, {"produce", "t"}, {"consume", "t"}} {
		_, err := command(t, "", append(args, "--bootstrap", "127.0.0.1:1")...)
		require.EqualError(t, err, "no broker at 127.0.0.1:1: connection refused; start one with `odradek serve`, or name another with --bootstrap")
	}
}

func TestPluginListOfARunningBroker(t *testing.T) {
	s := newSession(t)
	out, err := command(t, "", "plugin", "list", "--admin", s.broker.Admin)
	require.NoError(t, err)
	for _, id := range []string{"storage segment", "election raft", "replication isr", "partitioner sticky", "codec zstd"} {
		require.Contains(t, strings.Join(strings.Fields(out.stdout), " "), id+" 1.0.0 in-process - running")
	}
}

func TestAssignExplainAsksTheBroker(t *testing.T) {
	s := newSession(t)
	out, err := command(t, "", "assign", "explain", "--admin", s.broker.Admin,
		"--topic", "orders=5", "--member", "b", "--member", "a", "--member", "idle=")
	require.ErrorContains(t, err, "no --topic describes")
	out, err = command(t, "", "assign", "explain", "--admin", s.broker.Admin,
		"--topic", "orders=5", "--topic", "other=1", "--member", "b=orders", "--member", "a=orders")
	require.NoError(t, err)
	require.Equal(t, "MEMBER  TOPIC   PARTITIONS\na       orders  0-2\nb       orders  3-4\n", out.stdout)
}

func TestConfigLint(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good.yaml")
	require.NoError(t, os.WriteFile(good, []byte("num.partitions: 3\n"), 0o600))
	out, err := command(t, "", "config", "lint", good)
	require.NoError(t, err)
	require.Equal(t, good+": ok\n", out.stdout)

	bad := filepath.Join(t.TempDir(), "bad.yaml")
	require.NoError(t, os.WriteFile(bad, []byte("node.id: 1\nnum.partitons: 3\n"), 0o600))
	_, err = command(t, "", "config", "lint", bad)
	require.ErrorContains(t, err, bad+":2: num.partitons")
	require.ErrorContains(t, err, `did you mean "num.partitions"?`)

	require.NoError(t, os.WriteFile(good, []byte("num.io.threads: 8\n"), 0o600))
	out, err = command(t, "", "config", "lint", good)
	require.NoError(t, err)
	require.Equal(t, good+": ok; without effect yet: num.io.threads\n", out.stdout)
}

func TestWrongUseSaysWhatIsRight(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"topic", "lst"}, "unknown command \"lst\" for `odradek topic`, which has create, delete, describe, list"},
		{[]string{"topic", "create"}, "requires at least 1 arg(s), only received 0; write `odradek topic create NAME... [flags]`"},
		{[]string{"serve", "--conf", "a"}, "unknown flag: --conf; see `odradek serve --help`"},
	} {
		_, err := command(t, "", c.args...)
		require.EqualError(t, err, c.says)
	}
	out, err := command(t, "", "topic")
	require.NoError(t, err)
	require.Contains(t, out.stdout, "Available Commands")
}

func TestConfigPrintSaysWhereAValueComesFrom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "broker.yaml")
	require.NoError(t, os.WriteFile(file, []byte("num.partitions: 3\nnode.id: 7\n"), 0o600))
	t.Setenv("ODRADEK_NODE_ID", "8")
	out, err := command(t, "", "config", "print", "--config", file, "-X", "log.dirs=elsewhere", "-o", "json")
	require.NoError(t, err)
	document := decode[struct {
		Values []struct{ Name, Value, Source string }
	}](t, out.stdout)
	sources := map[string]string{}
	for _, v := range document.Values {
		sources[v.Name] = v.Value + " from " + v.Source
	}
	require.Equal(t, "3 from "+file+":1", sources["num.partitions"])
	require.Equal(t, "8 from env ODRADEK_NODE_ID", sources["node.id"])
	require.Equal(t, "elsewhere from -X log.dirs", sources["log.dirs"])
	require.Equal(t, "127.0.0.1:9292 from default", sources["admin.listener"])
}
