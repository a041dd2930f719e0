package house

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pure are the folders of state machines: time, randomness and identity come
// in as arguments, and nothing runs beside them.
var pure = []string{
	"core/internal/fetchsession",
	"core/internal/metadata",
	"core/internal/group",
	"core/internal/txn",
	"sdk/assignor",
	"sdk/replication",
	"plugins/assignor",
	"plugins/replication",
}

// pureFiles are the rules of a package that is not pure as a whole, beside what
// carries them out. They do not name the types of the shell.
var pureFiles = []struct {
	folder       string
	names, shell []string
}{
	{
		folder: "core/internal/partition",
		names: []string{
			"compaction.go", "growth.go", "newest_offsets.go", "producer_snapshot.go", "producers.go",
			"retention.go", "survivors.go", "validate.go", "validate_records.go", "waiter.go",
		},
		shell: []string{"Partition", "Registry", "host"},
	},
	{
		folder: "core/internal/wire/supervise",
		names:  []string{"policy.go", "silence.go"},
		shell:  []string{"Module", "incarnation"},
	},
}

// conformance suites drive pure packages from outside.
func isPure(file source) bool {
	if file.test || strings.HasSuffix(file.folder, "test") {
		return false
	}
	return slices.ContainsFunc(pure, file.under) || shellOf(file) != nil
}

// shellOf is what a file that is pure by itself does not name; nil for another.
func shellOf(file source) []string {
	for _, of := range pureFiles {
		if file.folder == of.folder && slices.Contains(of.names, path.Base(file.name)) {
			return of.shell
		}
	}
	return nil
}

var impureImports = []string{"net", "os", "io/ioutil", "syscall", "math/rand", "crypto/rand", "os/exec", "os/signal"}

// impureCalls are functions of package time that read or run a clock.
var impureCalls = []string{"Now", "Since", "Until", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Sleep"}

func TestPurePackagesImportNoWorld(t *testing.T) {
	for _, file := range sources(t) {
		if !isPure(file) {
			continue
		}
		for _, imported := range file.imports() {
			for _, impure := range impureImports {
				if imported == impure || strings.HasPrefix(imported, impure+"/") {
					t.Errorf("%s imports %s: it is pure", file.name, imported)
				}
			}
		}
	}
}

func TestPurePackagesHaveNoClockAndNoGoroutine(t *testing.T) {
	for _, file := range sources(t) {
		if !isPure(file) {
			continue
		}
		ast.Inspect(file.syntax, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.GoStmt:
				t.Errorf("%s starts a goroutine: it is pure", line(node))
			case *ast.SelectorExpr:
				if name, ok := node.X.(*ast.Ident); ok && name.Name == "time" && slices.Contains(impureCalls, node.Sel.Name) {
					t.Errorf("%s uses time.%s: it is pure, time comes in as an argument", line(node), node.Sel.Name)
				}
			}
			return true
		})
	}
}

func TestPureFilesDoNotNameTheirShell(t *testing.T) {
	found := 0
	for _, file := range sources(t) {
		shell := shellOf(file)
		if shell == nil {
			continue
		}
		found++
		ast.Inspect(file.syntax, func(node ast.Node) bool {
			if name, ok := node.(*ast.Ident); ok && slices.Contains(shell, name.Name) {
				t.Errorf("%s names %s: the file is pure, what it needs comes in as an argument", line(node), name.Name)
			}
			return true
		})
	}
	listed := 0
	for _, of := range pureFiles {
		listed += len(of.names)
	}
	require.Equal(t, listed, found, "a file of pureFiles is not there")
}
