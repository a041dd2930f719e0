package memory

import "odradek.dev/sdk/module"

// Config has no settings: memory is bounded by the retention of the topics.
type Config = module.NoSettings

func defaults() Config { return Config{} }
