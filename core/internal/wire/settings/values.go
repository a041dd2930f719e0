package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"odradek.dev/sdk/module"
)

// Value is one value of a configuration and where it was written.
type Value struct {
	Name, Value, Source string
}

// Values lists the broker's values, ascending by name, and then those of the
// modules, by kind. A config that has no default and is not set is not among
// them. The modules that a kind has by default, and the settings that a module
// has by default, are known only with the factories.
func (c Config) Values(factories []module.Factory) []Value {
	var values []Value
	for _, path := range slices.Sorted(maps.Keys(c.settings)) {
		if s := c.settings[path]; !isModulePath(path) {
			values = append(values, Value{path, shown(path, s.Value), s.Origin.String()})
		}
	}
	// What is wrong with the modules is for whoever runs them to report.
	_, choices, _ := Choose(c, factories)
	for _, kind := range module.Kinds() {
		values = append(values, c.kindValues(kind, choices)...)
	}
	return values
}

func (c Config) kindValues(kind module.Kind, choices []Choice) []Value {
	var names []string
	var below []Value
	for _, choice := range choices {
		if choice.Kind == kind {
			names = append(names, choice.Name)
			below = append(below, c.moduleValues(choice)...)
		}
	}
	use, set := c.settings[modulePath(kind, "use")]
	text := strings.Join(names, ",")
	if set {
		text = shown("", use.Value)
	}
	if text == "" {
		return below
	}
	return append([]Value{{"modules." + string(kind) + ".use", text, use.Origin.String()}}, below...)
}

// moduleValues lists what is set for a module, and its settings by default.
func (c Config) moduleValues(choice Choice) []Value {
	path := modulePath(choice.Kind)
	if choice.Kind.Many() {
		path = modulePath(choice.Kind, choice.Name)
	}
	prefix := strings.ReplaceAll(path, delimiter, ".") + "."
	entry := (&chooser{config: c}).entry(path)
	defaults := map[string]any{"run": string(choice.Binding)}
	if choice.Factory != nil {
		for _, field := range choice.Factory.Fields() {
			defaults[field.Name] = field.Default
		}
	}
	for key, value := range defaults {
		if _, set := entry[key]; !set {
			entry[key] = setting{Value: value}
		}
	}
	delete(entry, "use")
	var values []Value
	for _, key := range slices.Sorted(maps.Keys(entry)) {
		values = append(values, Value{prefix + key, shown(key, entry[key].Value), entry[key].Origin.String()})
	}
	return values
}

// shown keeps secrets out of what people see.
func shown(name string, value any) string {
	for _, secret := range []string{"password", "secret", "jaas", "passphrase", "ssl.keystore.key"} {
		if strings.Contains(name, secret) {
			return "(hidden)"
		}
	}
	if list, ok := value.([]string); ok {
		return strings.Join(list, ",")
	}
	return fmt.Sprint(value)
}
