package none

import "odradek.dev/sdk/module"

// Config is empty: none has no settings, and no levels.
type Config = module.NoSettings
