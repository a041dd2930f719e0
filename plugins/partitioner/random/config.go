package random

import "odradek.dev/sdk/module"

// Config is empty: random has no settings.
type Config = module.NoSettings
