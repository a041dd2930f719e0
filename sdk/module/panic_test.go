package module_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
)

func assign() { panic("no row 9") }

func call() (err error) {
	defer module.Recovered(&err)
	assign()
	return nil
}

func TestAPanicIsAnErrorWithItsStackBeside(t *testing.T) {
	err := call()
	require.EqualError(t, err, "module panicked: no row 9")
	require.Equal(t, module.Fatal, module.ClassOf(err))
	require.Contains(t, string(module.Stack(err)), "module_test.assign")
	require.Equal(t, module.Stack(err), module.Stack(fmt.Errorf("partition 3: %w", err)))
	require.Equal(t, module.Stack(err), module.Stack(module.Retriablef("asking again: %w", err)))
	var p *module.PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, "no row 9", p.Value)

	far := module.AsError(err)
	require.EqualError(t, far, "module panicked: no row 9")
	require.Equal(t, module.Fatal, far.Class)
	require.Nil(t, module.Stack(far), "it stays on the side where it happened")
	require.Nil(t, module.Stack(errors.New("no row 9\n\ngoroutine 1 [running]:")))
	require.Nil(t, module.Stack(nil))
}
