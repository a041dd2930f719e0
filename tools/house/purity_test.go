package house

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
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

// conformance suites drive pure packages from outside.
func isPure(file source) bool {
	return !file.test && !strings.HasSuffix(file.folder, "test") && slices.ContainsFunc(pure, file.under)
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
					t.Errorf("%s imports %s: its package is pure", file.name, imported)
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
				t.Errorf("%s starts a goroutine: its package is pure", line(node))
			case *ast.SelectorExpr:
				if name, ok := node.X.(*ast.Ident); ok && name.Name == "time" && slices.Contains(impureCalls, node.Sel.Name) {
					t.Errorf("%s uses time.%s: its package is pure, time comes in as an argument", line(node), node.Sel.Name)
				}
			}
			return true
		})
	}
}
