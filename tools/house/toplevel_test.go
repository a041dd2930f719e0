package house

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var topLevel = []string{
	".ci", ".gitignore", "ARCHITECTURE.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md",
	"configs", "core", "examples", "go.work", "plugins", "sdk", "tools",
}

// TestTopLevel: the first page that a stranger sees does not grow.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root(t))
	require.NoError(t, err)
	var found []string
	for _, entry := range entries {
		if !untracked[entry.Name()] && entry.Name() != "go.work.sum" {
			found = append(found, entry.Name())
		}
	}
	slices.Sort(found)
	require.Equal(t, topLevel, found)
}
