package settings

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/module"
)

// fileParser is a koanf parser that keeps the line of every value, and the text
// of it as it was written: 010 stays 010 and does not become eight.
type fileParser struct {
	name     string
	problems *Problems
}

// Unmarshal implements koanf.Parser. What is wrong goes to the problems; what
// is not wrong is in the layer all the same, so that one run reports all.
func (p *fileParser) Unmarshal(text []byte) (map[string]any, error) {
	layer := map[string]any{}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		p.syntaxError(err)
		return layer, nil
	}
	if len(document.Content) == 0 {
		return layer, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		if root.ShortTag() != "!!null" {
			p.wrong(root, "the file must be a mapping of names to values, as in node.id: 1")
		}
		return layer, nil
	}
	for key, value := range p.pairs("", root) {
		if key.Value == "modules" {
			layer["modules"] = p.modules(value)
			continue
		}
		if text, ok := p.flat(key, value); ok {
			layer[key.Value] = setting{Value: text, Origin: p.at(key)}
		}
	}
	return layer, nil
}

// Marshal is a part of koanf.Parser that nobody calls.
func (p *fileParser) Marshal(map[string]any) ([]byte, error) {
	return nil, fmt.Errorf("a configuration is not written back")
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

func (p *fileParser) syntaxError(err error) {
	at := Origin{Layer: fromFile, Name: p.name, Line: 1}
	message := err.Error()
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		message = m[2]
		if line, err := strconv.Atoi(m[1]); err == nil {
			at.Line = line
		}
	}
	p.problems.add(at, "not YAML: %s", message)
}

func (p *fileParser) at(n *yaml.Node) Origin {
	return Origin{Layer: fromFile, Name: p.name, Line: n.Line}
}

func (p *fileParser) wrong(n *yaml.Node, format string, args ...any) {
	p.problems.add(p.at(n), format, args...)
}

// pairs walks a mapping, with aliases followed. A key that stands twice is
// reported and its second value passed over.
func (p *fileParser) pairs(path string, mapping *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		first := map[string]int{}
		for i := 0; i+1 < len(mapping.Content); i += 2 {
			key, value := mapping.Content[i], followAlias(mapping.Content[i+1])
			if line, twice := first[key.Value]; twice {
				p.wrong(key, "%s%s: stands twice, first in line %d", path, key.Value, line)
				continue
			}
			first[key.Value] = key.Line
			if !yield(key, value) {
				return
			}
		}
	}
}

func followAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// flat is the text of a broker config: a scalar, or a list whose items are
// joined by commas as Kafka writes them.
func (p *fileParser) flat(key, value *yaml.Node) (string, bool) {
	switch value.Kind {
	case yaml.ScalarNode:
		if value.ShortTag() == "!!null" {
			p.wrong(key, "%s: has no value; give it one or remove the line", key.Value)
			return "", false
		}
		return value.Value, true
	case yaml.SequenceNode:
		var items []string
		for _, item := range value.Content {
			if item = followAlias(item); item.Kind != yaml.ScalarNode {
				p.wrong(item, "%s: the items of a list must be plain values", key.Value)
				return "", false
			}
			items = append(items, item.Value)
		}
		return strings.Join(items, ","), true
	}
	if config.Nearest(key.Value, slices.Values([]string{"modules"})) != "" {
		p.wrong(key, "%s: unknown section%s", key.Value, config.DidYouMean("modules"))
		return "", false
	}
	example := key.Value + ".NAME"
	if len(value.Content) > 0 {
		example = key.Value + "." + value.Content[0].Value
	}
	p.wrong(key, "%s: must be a plain value, not a mapping; names are written flat, as in %s: VALUE", key.Value, example)
	return "", false
}

// modules reads the section of that name: a mapping of kinds.
func (p *fileParser) modules(section *yaml.Node) map[string]any {
	layer := map[string]any{}
	if section.Kind != yaml.MappingNode {
		p.wrong(section, "modules: must be a mapping of kinds, as in storage: {use: segment}")
		return layer
	}
	for key, value := range p.pairs("modules.", section) {
		kind := module.Kind(key.Value)
		switch {
		case !kind.Valid():
			p.wrong(key, "modules.%s: %s", key.Value, unknownKind(key.Value))
		case kind.Many():
			layer[key.Value] = p.moduleList(kind, key, value)
		case value.Kind == yaml.MappingNode:
			if entry, name := p.moduleEntry(kind, value); name != "" {
				layer[key.Value] = entry
			}
		default:
			p.wrong(key, "modules.%s: must be one mapping, as in {use: NAME}", kind)
		}
	}
	return layer
}

// moduleList reads the modules of a list kind; a single mapping is a list of
// one.
func (p *fileParser) moduleList(kind module.Kind, key, value *yaml.Node) map[string]any {
	items := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		items = value.Content
	}
	layer := map[string]any{}
	names := []string{}
	for _, item := range items {
		if item = followAlias(item); item.Kind != yaml.MappingNode {
			p.wrong(item, "modules.%s: must be a list of mappings, as in - use: NAME", kind)
			continue
		}
		entry, name := p.moduleEntry(kind, item)
		if _, twice := layer[name]; twice {
			p.wrong(item, "modules.%s: %s is chosen twice", kind, name)
			continue
		}
		if name != "" {
			names, layer[name] = append(names, name), entry
		}
	}
	// Where entries were wrong, that they left none is not news.
	if len(names) > 0 || len(items) == 0 {
		layer["use"] = setting{Value: names, Origin: p.at(key)}
	}
	return layer
}

// moduleEntry reads the mapping of one module. The name is empty if it has
// none, which is reported.
func (p *fileParser) moduleEntry(kind module.Kind, mapping *yaml.Node) (entry map[string]any, name string) {
	entry = map[string]any{}
	for key, value := range p.pairs("modules."+string(kind)+".", mapping) {
		var plain any
		if err := value.Decode(&plain); err != nil {
			p.wrong(value, "modules.%s.%s: %v", kind, key.Value, err)
			continue
		}
		if plain == nil {
			p.wrong(key, "modules.%s.%s: has no value; give it one or remove the line", kind, key.Value)
			continue
		}
		if key.Value == "use" || key.Value == "run" || key.Value == "exec" || key.Value == "sha256" {
			plain = value.Value
		}
		entry[key.Value] = setting{Value: plain, Origin: p.at(key)}
	}
	use, _ := entry["use"].(setting)
	name = use.text()
	if name == "" || !isModuleName(name) {
		p.wrong(mapping, "modules.%s: an entry needs use: NAME", kind)
		return entry, ""
	}
	return entry, name
}
