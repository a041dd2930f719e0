package raft

import (
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

// Factory describes the module for a distribution's list.
func Factory() module.Factory {
	return election.Module(module.Descriptor{
		Name:    "raft",
		Version: "1.0.0",
		Summary: "controller election and metadata log by Raft, on the broker's own disk",
	}, Defaults, func(env module.Env, c Config) (election.Election, error) { return New(env, c) })
}
