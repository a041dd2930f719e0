package settings

import (
	"errors"
	"slices"
	"strings"

	"odradek.dev/core/internal/config"
)

// Config is a configuration as it was read: the broker's values checked, the
// modules' not yet, since those need the modules. It does not change.
type Config struct {
	Broker config.Broker
	// WithoutEffect lists the names of Kafka's that are set and change nothing
	// yet, ascending. Where only a word of a list changes nothing, that is in
	// parentheses.
	WithoutEffect []string
	// settings has every value by path; the broker's by name.
	settings map[string]setting
	problems Problems
}

// Load reads a configuration. With an error, which is a [Problems], what it
// returns is still good for [Choose], which adds what is wrong with the
// modules, so that one run reports everything.
func Load(s Sources) (Config, error) {
	settings, problems := s.read()
	c := Config{settings: settings, problems: problems}
	set := map[string]string{}
	for path, value := range settings {
		if value.Origin.Layer == fromDefault || isModulePath(path) {
			continue
		}
		set[path] = value.text()
		if config.WithoutEffect(path) {
			c.WithoutEffect = append(c.WithoutEffect, path)
		}
		for _, word := range config.WordsWithoutEffect(path, value.text()) {
			c.WithoutEffect = append(c.WithoutEffect, path+" ("+word+")")
		}
	}
	slices.Sort(c.WithoutEffect)
	broker, errs := config.Build(set)
	c.Broker = broker
	for _, err := range errs {
		c.problems.add(c.originOf(err), "%v", err)
	}
	return c, c.problems.err()
}

func isModulePath(path string) bool { return strings.HasPrefix(path, "modules"+delimiter) }

// originOf is where the value that err complains about was written. What is
// missing beside another value is complained about there.
func (c Config) originOf(err error) Origin {
	var value *config.ValueError
	var unknown *config.UnknownNameError
	switch {
	case errors.As(err, &value):
		at := c.settings[value.Name].Origin
		if at.Layer == fromDefault && value.Name == "advertised.listeners" {
			return c.settings["listeners"].Origin
		}
		return at
	case errors.As(err, &unknown):
		return c.settings[unknown.Name].Origin
	}
	return Origin{}
}
