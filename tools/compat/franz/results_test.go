package franz

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const printed = `=== RUN   TestA
=== PAUSE TestA
=== RUN   TestB
    b_test.go:1: b speaks
=== RUN   TestA/part/848
=== CONT  TestA/part/848
    a_test.go:7: a wrong offset
    --- FAIL: TestA/part/848 (0.10s)
--- FAIL: TestA (0.20s)
--- PASS: TestB (0.00s)
--- SKIP: TestC (0.00s)
FAIL
`

func TestParse(t *testing.T) {
	results, err := parse(strings.NewReader(printed))
	require.NoError(t, err)
	require.NoError(t, want("TestB", results))
	require.ErrorContains(t, want("TestA", results), `"FAIL"`)
	require.ErrorContains(t, want("TestA/part/848", results), "a wrong offset")
	require.ErrorContains(t, want("TestC", results), `"SKIP"`)
	require.ErrorContains(t, want("TestD", results), `""`, "a test that did not run")
}
