package house

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// untracked are the names of folders that no commit has; target is Maven's.
var untracked = map[string]bool{".git": true, "bin": true, "data": true, "target": true}

// root is the top of the repository: the folder of go.work.
func root(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	require.NoError(t, err)
	for {
		_, err := os.Stat(filepath.Join(folder, "go.work"))
		if err == nil {
			return folder
		}
		require.True(t, errors.Is(err, fs.ErrNotExist), "looking for go.work: %v", err)
		parent := filepath.Dir(folder)
		require.NotEqual(t, folder, parent, "no folder above this one has go.work")
		folder = parent
	}
}

// files lists the files of the repository whose path passes keep, relative to
// the root, with slashes.
func files(t *testing.T, keep func(name string) bool) []string {
	t.Helper()
	var found []string
	top := root(t)
	err := filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if entry.IsDir() {
			if untracked[entry.Name()] {
				return filepath.SkipDir
			}
			return nil
		}
		if entry.Type().IsRegular() && keep(relative) {
			found = append(found, relative)
		}
		return nil
	})
	require.NoError(t, err)
	return found
}

// source is one parsed Go file.
type source struct {
	// name is the path from the root; folder is its folder.
	name, folder string
	syntax       *ast.File
	lines        int
	test         bool
	generated    bool
}

func (s source) imports() []string {
	var paths []string
	for _, spec := range s.syntax.Imports {
		paths = append(paths, strings.Trim(spec.Path.Value, `"`))
	}
	return paths
}

// under reports whether the file is in the folder or below it.
func (s source) under(folder string) bool {
	return s.folder == folder || strings.HasPrefix(s.folder, folder+"/")
}

var fileSet = token.NewFileSet()

// sources parses every Go file of the repository, the nested modules of the
// examples included.
func sources(t *testing.T) []source {
	t.Helper()
	isGo := func(name string) bool { return path.Ext(name) == ".go" && !strings.Contains(name, "/testdata/") }
	var all []source
	for _, name := range files(t, isGo) {
		content := read(t, name)
		syntax, err := parser.ParseFile(fileSet, name, content, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		all = append(all, source{
			name: name, folder: path.Dir(name), syntax: syntax, lines: strings.Count(content, "\n"),
			test: strings.HasSuffix(name, "_test.go"), generated: ast.IsGenerated(syntax),
		})
	}
	require.NotEmpty(t, all)
	return all
}

// read returns the content of a file named from the root.
func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(content)
}

// line is where a node stands, as an editor wants it.
func line(node ast.Node) string { return fileSet.Position(node.Pos()).String() }
