package uniform

import "odradek.dev/sdk/module"

// Config is empty: uniform has no settings.
type Config = module.NoSettings
