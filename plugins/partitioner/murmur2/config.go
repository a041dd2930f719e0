package murmur2

import "odradek.dev/sdk/module"

// Config is empty: murmur2 has no settings.
type Config = module.NoSettings
