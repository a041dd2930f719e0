package roundrobin

import "odradek.dev/sdk/module"

// Config is empty: roundrobin has no settings.
type Config = module.NoSettings
