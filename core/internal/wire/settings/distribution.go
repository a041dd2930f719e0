package settings

import "odradek.dev/sdk/module"

// defaultNames is what a configuration without the section of a kind gets; for
// the kinds that are not here it is all that the distribution has.
var defaultNames = map[module.Kind][]string{
	module.Storage:     {"segment"},
	module.Election:    {"raft"},
	module.Replication: {"isr"},
}

// Distribution is the modules that were compiled in, no two of one kind and name.
type Distribution []module.Factory

func newDistribution(factories []module.Factory, problems *Problems) Distribution {
	var d Distribution
	for _, f := range factories {
		descriptor := f.Descriptor()
		if err := descriptor.Validate(); err != nil {
			problems.add(Origin{}, "distribution: %v", err)
			continue
		}
		if d.Find(descriptor.Kind, descriptor.Name) != nil {
			problems.add(Origin{}, "distribution: module %s is listed twice", descriptor.ID())
			continue
		}
		d = append(d, f)
	}
	return d
}

// Find returns nil if there is no such module.
func (d Distribution) Find(kind module.Kind, name string) *module.Factory {
	for i, f := range d {
		if of := f.Descriptor(); of.Kind == kind && of.Name == name {
			return &d[i]
		}
	}
	return nil
}

// names is in the order of the distribution.
func (d Distribution) names(kind module.Kind) []string {
	var names []string
	for _, f := range d {
		if of := f.Descriptor(); of.Kind == kind {
			names = append(names, of.Name)
		}
	}
	return names
}

// defaults are the modules of a kind that a configuration says nothing of. A
// distribution without the usual one has its only one as the default.
func (d Distribution) defaults(kind module.Kind) []string {
	names := d.names(kind)
	usual, fixed := defaultNames[kind]
	if fixed && d.Find(kind, usual[0]) != nil || len(names) == 0 {
		return usual
	}
	if fixed && len(names) > 1 {
		return nil
	}
	return names
}
