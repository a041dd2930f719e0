package settings

import (
	"slices"
	"strings"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/module"
)

// modulePath is the koanf path of a step below a kind of module. A kind of
// which there is one has its keys there; a kind of which there are several has
// the list of the modules chosen at "use", and the keys of each below its name.
func modulePath(kind module.Kind, steps ...string) string {
	return strings.Join(append([]string{"modules", string(kind)}, steps...), delimiter)
}

// reserved are the keys of a module's entry that are not its own settings.
var reserved = []string{"use", "run", "exec", "args", "sha256"}

// moduleKey turns the steps of an override, which are those after "modules",
// into a path and a value. Of a list kind, "use" takes names with commas.
func moduleKey(kindName string, rest []string, text string) (path string, value any, problem string) {
	kind := module.Kind(kindName)
	switch {
	case !kind.Valid():
		return "", nil, unknownKind(kindName)
	case len(rest) == 0:
		return "", nil, "needs a key, as in modules." + kindName + ".use"
	case !kind.Many():
		return modulePath(kind, strings.Join(rest, ".")), text, ""
	case len(rest) == 1 && rest[0] == "use":
		return modulePath(kind, "use"), splitNames(text), ""
	case len(rest) == 1:
		return "", nil, "needs a module and its key, as in modules." + kindName + "." + rest[0] + ".run"
	}
	return modulePath(kind, rest[0], strings.Join(rest[1:], ".")), text, ""
}

func splitNames(text string) []string {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func unknownKind(name string) string {
	nearest := config.Nearest(name, func(yield func(string) bool) {
		for _, kind := range module.Kinds() {
			if !yield(string(kind)) {
				return
			}
		}
	})
	return "unknown kind of module" + config.DidYouMean(nearest)
}

// isModuleName tells a module's name from a reserved key below a list kind.
func isModuleName(step string) bool { return !slices.Contains(reserved, step) }
