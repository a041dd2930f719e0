package snappy

import "odradek.dev/sdk/module"

// Config is empty: snappy has no settings, and no levels.
type Config = module.NoSettings
