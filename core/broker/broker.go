// Package broker is how a custom broker is made: a configuration, a list of
// modules, and Run.
//
// [Main] is the whole main function of one:
//
//	func main() { broker.Main(segment.Factory(), raft.Factory(), isr.Factory(), mine.Factory()) }
package broker

import (
	"context"
	"slices"

	"odradek.dev/core/internal/wire"
	"odradek.dev/core/internal/wire/settings"
	"odradek.dev/sdk/module"
)

// Sources is where a configuration is read from. A later one overrides an
// earlier one, and all of them the defaults.
type Sources struct {
	// File is a YAML file; with Text set it is not read, but is the name that
	// errors give to Text.
	File string
	Text []byte
	// Env is as os.Environ returns it. Variables that begin with ODRADEK_ count:
	// ODRADEK_LOG_DIRS is log.dirs, ODRADEK_MODULES__STORAGE__USE is
	// modules.storage.use, and ODRADEK_MODULES__CODEC__ZSTD__RUN is
	// modules.codec.zstd.run.
	Env []string
	// Set is key=value: log.dirs=/data, modules.storage.use=memory,
	// modules.codec.use=none,zstd, modules.codec.zstd.run=subprocess.
	Set []string
}

// Config is a configuration that was read. It does not change.
type Config struct{ read settings.Config }

// Value is one value of a configuration. Source is "default", FILE:LINE,
// "env NAME" or "-X KEY".
type Value struct{ Name, Value, Source string }

// Load reads a configuration and checks all of it but what the modules have to
// say. The error has one line for each thing that is wrong, with where it is
// and the nearest valid name. A Config that comes with an error can still be
// given to [Validate], whose error then has these lines and those about
// modules.
func Load(s Sources) (Config, error) {
	read, err := settings.Load(settings.Sources(s))
	return Config{read}, err
}

// WithoutEffect lists the names of Kafka's that are set and change nothing yet,
// ascending. Where only a word of a list changes nothing, that is in parentheses
// behind the name.
func (c Config) WithoutEffect() []string { return slices.Clone(c.read.WithoutEffect) }

// Values lists every value that is set or has a default, ascending by name, the
// modules' last. Which modules and which settings of theirs there are by default
// is told only with the modules given.
func (c Config) Values(modules ...module.Factory) []Value {
	var values []Value
	for _, v := range c.read.Values(modules) {
		values = append(values, Value(v))
	}
	return values
}

// Validate checks everything that [New] checks.
func Validate(c Config, modules ...module.Factory) error {
	_, err := New(c, modules...)
	return err
}

// Broker is one broker.
type Broker struct{ app *wire.App }

// New makes a broker that can choose among modules and the executables that the
// configuration names. It checks the configuration and whether the parts fit
// together, and starts nothing.
func New(c Config, modules ...module.Factory) (*Broker, error) {
	app, err := wire.NewApp(c.read, modules)
	if err != nil {
		return nil, err
	}
	return &Broker{app}, nil
}

// Run starts the broker, serves until ctx ends, and stops within five seconds.
// It is called once. Its error is why the broker did not start, could not go
// on, or did not stop cleanly.
func (b *Broker) Run(ctx context.Context) error { return b.app.Run(ctx) }

// Addr is the host:port at which the listener of that name is bound, which a
// port of 0 leaves open; empty before it is bound. Safe for concurrent use.
func (b *Broker) Addr(listener string) string { return b.app.Addr(listener) }

// AdminAddr is the host:port of the admin server; empty before it is bound, and
// if there is none. Safe for concurrent use.
func (b *Broker) AdminAddr() string { return b.app.AdminAddr() }
