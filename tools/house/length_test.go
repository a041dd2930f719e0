package house

import (
	"go/ast"
	"slices"
	"testing"
)

const (
	functionMaxLines = 70
	functionP90Lines = 40
	fileP90Lines     = 400
)

// longForAReason are functions over the maximum that are better left whole,
// by file and name, with the reason.
var longForAReason = map[string]string{}

// measured is how long the files and the functions of one sort of code are.
type measured struct {
	files, functions []int
	// allowed are the entries of longForAReason that were needed.
	allowed map[string]bool
}

func (m *measured) add(t *testing.T, file source) {
	m.files = append(m.files, file.lines)
	for _, declaration := range file.syntax.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		length := fileSet.Position(function.End()).Line - fileSet.Position(function.Pos()).Line + 1
		m.functions = append(m.functions, length)
		name := file.name + ":" + function.Name.Name
		if length <= functionMaxLines {
			continue
		}
		if _, allowed := longForAReason[name]; allowed {
			m.allowed[name] = true
		} else {
			t.Errorf("%s: %s has %d lines, the most is %d", line(function), function.Name.Name, length, functionMaxLines)
		}
	}
}

func (m *measured) report(t *testing.T, sort string) {
	files, functions := percentile(m.files, 90), percentile(m.functions, 90)
	t.Logf("%s: %d files, p50 %d, p90 %d, longest %d lines; %d functions, p50 %d, p90 %d, p99 %d, longest %d lines",
		sort, len(m.files), percentile(m.files, 50), files, percentile(m.files, 100),
		len(m.functions), percentile(m.functions, 50), functions, percentile(m.functions, 99), percentile(m.functions, 100))
	if files >= fileP90Lines {
		t.Errorf("%s: nine of ten files must be under %d lines, p90 is %d", sort, fileP90Lines, files)
	}
	if functions >= functionP90Lines {
		t.Errorf("%s: nine of ten functions must be under %d lines, p90 is %d", sort, functionP90Lines, functions)
	}
}

func TestLengths(t *testing.T) {
	code, tests := measured{allowed: map[string]bool{}}, measured{allowed: map[string]bool{}}
	for _, file := range sources(t) {
		switch {
		case file.generated:
		case file.test:
			tests.add(t, file)
		default:
			code.add(t, file)
		}
	}
	for name := range longForAReason {
		if !code.allowed[name] && !tests.allowed[name] {
			t.Errorf("%s is short enough now, or gone: take it out of longForAReason", name)
		}
	}
	code.report(t, "code")
	tests.report(t, "tests")
}

func percentile(values []int, p int) int {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)*p/100]
}
