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

// assignors checks that each assignor that groups may ask for has a module.
func (ch *chooser) assignors(choices []Choice) {
	asked := ch.config.settings[serverAssignors]
	if asked.Origin.Layer == fromDefault {
		return
	}
	names := namesOf(module.Assignor, choices)
	for _, name := range ch.config.Broker.Groups.ConsumerAssignors {
		if !slices.Contains(names, name) {
			ch.problems.add(asked.Origin, "%s: %q is not among the assignor modules chosen, which are %s%s", serverAssignors, name, orNone(names),
				config.DidYouMean(config.Nearest(name, slices.Values(names))))
		}
	}
}

// ServerAssignors is what group.consumer.assignors comes to: what is set, or
// those of the default that were chosen as modules, or else all that were.
func ServerAssignors(c Config, choices []Choice) []string {
	if c.settings[serverAssignors].Origin.Layer != fromDefault {
		return c.Broker.Groups.ConsumerAssignors
	}
	names := namesOf(module.Assignor, choices)
	var known []string
	for _, name := range c.Broker.Groups.ConsumerAssignors {
		if slices.Contains(names, name) {
			known = append(known, name)
		}
	}
	if len(known) == 0 {
		return names
	}
	return known
}
