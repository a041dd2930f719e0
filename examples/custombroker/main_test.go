package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/broker"
)

func load(t *testing.T, text string) broker.Config {
	t.Helper()
	config, err := broker.Load(broker.Sources{File: "custom.yaml", Text: []byte(text)})
	require.NoError(t, err)
	return config
}

func TestModulesAreABroker(t *testing.T) {
	require.NoError(t, broker.Validate(load(t, ""), modules()...))
}

func TestNothingElseCanBeChosen(t *testing.T) {
	err := broker.Validate(load(t, "modules:\n  storage: {use: memory}\n"), modules()...)
	require.ErrorContains(t, err, "memory")
	require.ErrorContains(t, err, "segment")
}
