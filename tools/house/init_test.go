package house

import (
	"go/ast"
	"testing"
)

// TestNoInitFunctions: importing a package changes nothing. Modules are listed
// by a distribution.
func TestNoInitFunctions(t *testing.T) {
	for _, file := range sources(t) {
		if file.generated {
			continue
		}
		for _, declaration := range file.syntax.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if ok && function.Recv == nil && function.Name.Name == "init" {
				t.Errorf("%s: no init functions; make it a value that somebody passes", line(function))
			}
		}
	}
}
