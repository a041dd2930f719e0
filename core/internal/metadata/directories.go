package metadata

import (
	"encoding/base64"
	"fmt"
	"slices"

	"odradek.dev/sdk/module"
)

// DirectoryID is what a log directory has kept in it since it was first used;
// with the segment engine the directory.id of meta.properties (KIP-858).
type DirectoryID [16]byte

// String is the id as meta.properties has it: 22 characters of base64url.
func (id DirectoryID) String() string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// MarshalText makes an id readable in the log.
func (id DirectoryID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (id *DirectoryID) UnmarshalText(text []byte) error {
	raw, err := base64.RawURLEncoding.DecodeString(string(text))
	if err != nil || len(raw) != len(id) {
		return fmt.Errorf("directory id %q is not 22 characters of base64url", text)
	}
	copy(id[:], raw)
	return nil
}

// Directory is a log directory of a broker.
type Directory struct {
	ID DirectoryID `json:"id"`
	// Path is where in log.dirs it was last.
	Path string `json:"path"`
}

// DirectoriesKnown replaces the log directories that a broker is known to have:
// those that it has mounted, and those that it has not and that may hold logs.
type DirectoriesKnown struct {
	Broker      int32       `json:"broker"`
	Directories []Directory `json:"directories"`
}

func (r *DirectoriesKnown) change(i *Image) error {
	at, found := findBroker(i.brokers, r.Broker)
	if !found {
		return module.Fatalf("there is no broker %d for directories", r.Broker)
	}
	i.brokers = slices.Clone(i.brokers)
	i.brokers[at].Directories = slices.Clone(r.Directories)
	return nil
}

// KnowDirectories plans the log directories of a registered broker; nothing if
// they are known to be these, in any order.
func KnowDirectories(i *Image, broker int32, directories []Directory) []Record {
	b, _ := i.Broker(broker)
	known := func(d Directory) bool { return slices.Contains(b.Directories, d) }
	if len(b.Directories) == len(directories) && !slices.ContainsFunc(directories, func(d Directory) bool { return !known(d) }) {
		return nil
	}
	return []Record{&DirectoriesKnown{Broker: broker, Directories: directories}}
}

// directories are those of the brokers that have told theirs.
func (i *Image) directories() []DirectoriesKnown {
	var all []DirectoriesKnown
	for _, b := range i.brokers {
		if len(b.Directories) > 0 {
			all = append(all, DirectoriesKnown{Broker: b.ID, Directories: b.Directories})
		}
	}
	return all
}
