package module_test

import (
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

func TestModuleHasWhatItsHostLeftOut(t *testing.T) {
	d := module.Descriptor{Kind: module.Codec, Name: "curious", Version: "1.0.0"}
	factory := module.NewFactory(d, module.NoDefaults, func(env module.Env, _ module.NoSettings) (module.Env, error) { return env, nil })
	built, err := factory.New(module.Env{}, nil)
	require.NoError(t, err)
	env := built.(module.Env)
	env.Log.Info("goes nowhere")
	require.WithinDuration(t, time.Now(), env.Clock.Now(), time.Minute)
	require.Equal(t, vfs.OS(), env.FS)

	given := module.Env{Log: hclog.Default(), Clock: clock.NewFake(time.Unix(1, 0)), FS: vfs.NewMem(), Node: 3, Seed: 7}
	built, err = factory.New(given, nil)
	require.NoError(t, err)
	require.Equal(t, given, built)
}
