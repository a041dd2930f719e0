package module

import (
	"fmt"
	"regexp"
)

// Descriptor says which module this is. It crosses the process at start, so
// that host and subprocess agree on what they speak about.
type Descriptor struct {
	Kind Kind
	// Name is unique within the kind; lower case letters, digits and dashes,
	// at most 64 characters. It is what `use:` names in a configuration.
	Name string
	// Version is the module's own, in semantic versioning without the "v"; at
	// most 64 characters.
	Version string
	// Summary is one line for `odradek plugin list` and the generated docs.
	Summary string
}

// ID is the kind and the name, "codec/zstd": also the module's folder below
// plugins.
func (d Descriptor) ID() string { return string(d.Kind) + "/" + d.Name }

var nameShape = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)

var versionShape = regexp.MustCompile(`^[0-9A-Za-z.+-]{1,64}$`)

// Validate reports the first thing that is wrong with the descriptor.
func (d Descriptor) Validate() error {
	switch {
	case !d.Kind.Valid():
		return Invalidf("module kind %q is unknown; the kinds are %v", d.Kind, kinds)
	case !nameShape.MatchString(d.Name):
		return Invalidf("%s name %q must be lower case letters, digits and inner dashes, at most 64", d.Kind, d.Name)
	case d.Version == "":
		return Invalidf("module %s has no version", d.ID())
	case !versionShape.MatchString(d.Version):
		return Invalidf("module %s has the version %q; it must be letters, digits, dots, dashes and plus signs, at most 64", d.ID(), d.Version)
	}
	return nil
}

// String is the ID and the version.
func (d Descriptor) String() string { return fmt.Sprintf("%s@%s", d.ID(), d.Version) }
