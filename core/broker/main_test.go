package broker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRunRefuses(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--help"}, 0, "-config file"},
		{[]string{"--conf", "x"}, 2, "flag provided but not defined: -conf"},
		{[]string{"serve"}, 2, `"serve" is no flag; write --config FILE or -X key=value, or config lint FILE...`},
		{[]string{"config", "lint"}, 2, `"config" is no flag`},
		{[]string{"--help"}, 0, "config lint FILE..."},
		{[]string{"--config", "/nowhere.yaml"}, 1, "/nowhere.yaml: cannot be read: no such file or directory"},
		{[]string{"-X", "node.id=-1"}, 1, "-X node.id: node.id: \"-1\" is not allowed"},
	} {
		var out, errs strings.Builder
		require.Equal(t, c.status, run(t.Context(), c.args, &out, &errs, nil), "%v", c.args)
		require.Contains(t, errs.String(), c.says)
		require.Empty(t, out.String())
	}
}

func TestLintJudgesByTheModulesOfTheProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.yaml")
	require.NoError(t, os.WriteFile(file, []byte("num.partitons: 3\nmodules:\n  storage: {use: mine}\n"), 0o600))
	var out, errs strings.Builder
	require.Equal(t, 1, run(t.Context(), []string{"config", "lint", file}, &out, &errs, nil))
	require.Contains(t, errs.String(), file+`:1: num.partitons: unknown broker config; did you mean "num.partitions"?`)
	require.Contains(t, errs.String(), file+`:3: modules.storage: no module "mine" in this distribution, which has none of that kind`)
}
