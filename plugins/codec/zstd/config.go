package zstd

import "odradek.dev/sdk/module"

// Config is empty: the level comes with each call, from the topic.
type Config = module.NoSettings
