package cooperativesticky

import "odradek.dev/sdk/module"

// Config is empty: cooperative-sticky has no settings.
type Config = module.NoSettings
