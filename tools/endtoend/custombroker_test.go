package endtoend

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each program judges by its own list of modules, and odradek's is longer.
func TestABrokerOfOnesOwnJudgesItsConfigurations(t *testing.T) {
	dir := t.TempDir()
	custom := buildExample(t, dir, "custombroker")
	right, wrong := filepath.Join(dir, "right.yaml"), filepath.Join(dir, "wrong.yaml")
	require.NoError(t, os.WriteFile(right, []byte("num.io.threads: 8\nmodules:\n  storage: {use: segment}\n"), 0o600))
	require.NoError(t, os.WriteFile(wrong, []byte("modules:\n  storage: {use: memory}\n"), 0o600))
	out, err := exec.CommandContext(t.Context(), custom, "config", "lint", right, wrong).CombinedOutput()
	require.Error(t, err)
	require.Equal(t, right+": ok; without effect yet: num.io.threads\n"+
		wrong+`:2: modules.storage: no module "memory" in this distribution, which has segment`+"\n", string(out))
	out, err = exec.CommandContext(t.Context(), custom, "config", "lint", right).CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.CommandContext(t.Context(), binary, "config", "lint", wrong).CombinedOutput()
	require.NoError(t, err, string(out))
}
