package sticky

import "odradek.dev/sdk/module"

// Config is empty: sticky has no settings.
type Config = module.NoSettings
