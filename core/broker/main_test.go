package broker

import (
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
		{[]string{"serve"}, 2, `"serve" is no flag; write --config FILE or -X key=value`},
		{[]string{"--config", "/nowhere.yaml"}, 1, "/nowhere.yaml: cannot be read: no such file or directory"},
		{[]string{"-X", "node.id=-1"}, 1, "-X node.id: node.id: \"-1\" is not allowed"},
	} {
		var out strings.Builder
		require.Equal(t, c.status, run(t.Context(), c.args, &out, nil), "%v", c.args)
		require.Contains(t, out.String(), c.says)
	}
}
