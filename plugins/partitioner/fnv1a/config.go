package fnv1a

import "odradek.dev/sdk/module"

// Config is empty: fnv1a has no settings.
type Config = module.NoSettings
