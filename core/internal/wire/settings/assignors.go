package settings

import (
	"slices"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/module"
)

// serverAssignors is Kafka's name for the assignors of groups of KIP-848.
const serverAssignors = "group.consumer.assignors"

func namesOf(kind module.Kind, choices []Choice) (names []string) {
	for _, choice := range choices {
		if choice.Kind == kind {
			names = append(names, choice.Name)
		}
	}
	return names
}

// assignors checks that each assignor that groups may ask for has a module. Of
// the default it keeps those that have one; if none has, groups may ask for all
// that were chosen.
func (ch *chooser) assignors(choices []Choice) {
	names, groups := namesOf(module.Assignor, choices), &ch.config.Broker.Groups
	asked := ch.config.settings[serverAssignors]
	if asked.Origin.Layer == fromDefault {
		groups.ConsumerAssignors = common(groups.ConsumerAssignors, names)
		if len(groups.ConsumerAssignors) == 0 {
			groups.ConsumerAssignors = names
		}
		return
	}
	for _, name := range groups.ConsumerAssignors {
		if !slices.Contains(names, name) {
			ch.problems.add(asked.Origin, "%s: %q is not among the assignor modules chosen, which are %s%s", serverAssignors, name, orNone(names),
				config.DidYouMean(config.Nearest(name, slices.Values(names))))
		}
	}
}

// common is what of a is in b.
func common(a, b []string) (both []string) {
	for _, one := range a {
		if slices.Contains(b, one) {
			both = append(both, one)
		}
	}
	return both
}
