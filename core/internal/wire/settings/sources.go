package settings

import (
	"errors"
	"io/fs"
	"os"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/rawbytes"
	"github.com/knadh/koanf/v2"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/module"
)

// delimiter parts the steps of a path in koanf. It is not a dot, so that
// Kafka's dotted names stay whole.
const delimiter = "/"

// Sources is where a configuration is read from, in the order in which one
// overrides the other; before them all come the defaults.
type Sources struct {
	File string
	Text []byte
	Env  []string
	Set  []string
}

// setting is one value in a layer. Value is text, but for the module settings
// of a file, which have the types that YAML gave them, and for the list of the
// modules chosen of a kind, which is a []string.
//
// The fields are exported because koanf copies maps by reflection.
type setting struct {
	Value  any
	Origin Origin
}

// text is the value of everything but module settings.
func (s setting) text() string {
	text, _ := s.Value.(string)
	return text
}

// read merges the sources by path.
func (s Sources) read() (map[string]setting, Problems) {
	var problems Problems
	k := koanf.New(delimiter)
	text, err := s.fileText()
	if err != nil {
		problems.add(Origin{Layer: fromFile, Name: s.File}, "cannot be read: %v", reason(err))
	}
	fileName := s.File
	if fileName == "" {
		fileName = "configuration"
	}
	file := &fileParser{name: fileName, problems: &problems}
	variables := &variables{problems: &problems}
	overlay(k, confmap.Provider(defaults(), delimiter), nil, &problems)
	overlay(k, rawbytes.Provider(text), file, &problems)
	overlay(k, env.Provider(delimiter, env.Opt{
		Prefix: envPrefix, TransformFunc: variables.transform, EnvironFunc: func() []string { return s.Env },
	}), nil, &problems)
	overlay(k, confmap.Provider(flags(s.Set, &problems), delimiter), nil, &problems)
	merged := map[string]setting{}
	for path, value := range k.All() {
		if s, ok := value.(setting); ok {
			merged[path] = s
		}
	}
	return merged, problems
}

// reason is err without the path, which the origin has.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func (s Sources) fileText() ([]byte, error) {
	if s.Text != nil || s.File == "" {
		return s.Text, nil
	}
	return os.ReadFile(s.File)
}

// overlay loads one layer over those below it. Where it chooses another module
// than they did, what they set for theirs is dropped: it is not meant for this
// one.
func overlay(k *koanf.Koanf, provider koanf.Provider, parser koanf.Parser, problems *Problems) {
	above := koanf.New(delimiter)
	if err := above.Load(provider, parser); err != nil {
		problems.add(Origin{}, "%v", err)
		return
	}
	for _, kind := range module.Kinds() {
		use := modulePath(kind, "use")
		chosen, there := above.Get(use).(setting)
		before, was := k.Get(use).(setting)
		if !kind.Many() && there && was && chosen.Value != before.Value {
			k.Delete(modulePath(kind))
		}
	}
	if err := k.Merge(above); err != nil {
		problems.add(Origin{}, "%v", err)
	}
}

func defaults() map[string]any {
	layer := map[string]any{}
	for _, name := range config.BrokerNames() {
		if d, _ := config.BrokerDefinition(name); d.HasDefault {
			layer[name] = setting{Value: d.Default}
		}
	}
	return layer
}
