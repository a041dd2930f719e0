package memory

import "odradek.dev/sdk/module"

// Config has no settings: memory is bounded by the retention of the topics.
type Config = module.NoSettings

// Defaults is the only configuration there is.
func Defaults() Config { return Config{} }
