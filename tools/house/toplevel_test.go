package house

import (
	"os"
	"path"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var topLevel = []string{
	".ci", ".gitignore", "ARCHITECTURE.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md",
	"configs", "core", "examples", "go.work", "plugins", "sdk", "tools",
}

// TestTopLevel: the first page that a stranger sees does not grow. What git
// ignores is not on it: a configuration that somebody tries out is none of ours.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root(t))
	require.NoError(t, err)
	var found []string
	for _, entry := range entries {
		name := entry.Name()
		if !untracked[name] && name != "go.work.sum" && path.Ext(name) != ".yaml" {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	require.Equal(t, topLevel, found)
}
