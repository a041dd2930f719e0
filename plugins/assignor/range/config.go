package ranges

import "odradek.dev/sdk/module"

// Config is empty: range has no settings.
type Config = module.NoSettings
