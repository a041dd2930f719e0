package settings

import "fmt"

// layer is one of the places that values come from. A later one wins.
type layer uint8

const (
	fromDefault layer = iota
	fromFile
	fromEnv
	fromFlag
)

// Origin is where one value was written.
type Origin struct {
	Layer layer
	// Name is the file, the environment variable or the key of the -X.
	Name string
	// Line is 0 for a file that could not be read.
	Line int
}

// String is how the origin begins an error, and how it stands in
// `odradek config print`.
func (o Origin) String() string {
	switch o.Layer {
	case fromFile:
		if o.Line == 0 {
			return o.Name
		}
		return fmt.Sprintf("%s:%d", o.Name, o.Line)
	case fromEnv:
		return "env " + o.Name
	case fromFlag:
		return "-X " + o.Name
	default:
		return "default"
	}
}
