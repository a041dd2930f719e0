package shape

import (
	"fmt"
	"strconv"
	"strings"
)

type parser struct {
	rest string
}

// fields reads named fields up to the end or a closing bracket or brace.
func (p *parser) fields() ([]field, error) {
	var out []field
	for {
		p.rest = strings.TrimLeft(p.rest, " \n\t")
		if p.rest == "" || p.rest[0] == ']' || p.rest[0] == '}' {
			return out, nil
		}
		name, after, ok := strings.Cut(p.rest, ":")
		if !ok || !isName(name) {
			return nil, fmt.Errorf("expected name:type at %q", p.rest)
		}
		p.rest = after
		f, err := p.typed()
		if err != nil {
			return nil, err
		}
		f.name = name
		out = append(out, f)
	}
}

func (p *parser) typed() (field, error) {
	f := field{versions: all, nullable: none}
	var err error
	switch {
	case strings.HasPrefix(p.rest, "["):
		err = p.list(&f)
	case strings.HasPrefix(p.rest, "{"):
		err = p.optional(&f)
	default:
		err = scalar(p.word(), &f)
	}
	if err == nil {
		err = p.null(&f)
	}
	if err == nil && p.marked("@") {
		f.versions, err = p.versions()
	}
	return f, err
}

// null reads ?, ?2+, ?2-5 or nothing.
func (p *parser) null(f *field) (err error) {
	switch {
	case !p.marked("?"):
		return nil
	case f.kind == fixed || f.kind == optional:
		return fmt.Errorf("only a string, bytes or a list is marked ?, before %q", p.rest)
	case p.rest == "" || strings.ContainsRune(wordEnds, rune(p.rest[0])):
		f.nullable = all
		return nil
	}
	f.nullable, err = p.versions()
	return err
}

func (p *parser) marked(mark string) bool {
	after, ok := strings.CutPrefix(p.rest, mark)
	p.rest = after
	return ok
}

func (p *parser) list(f *field) (err error) {
	f.kind = list
	p.rest = p.rest[1:]
	inner, _, _ := strings.Cut(p.rest, "]")
	if f.structure = strings.Contains(inner, ":"); f.structure {
		f.element, err = p.fields()
	} else {
		element := field{versions: all, nullable: none}
		err = scalar(p.word(), &element)
		f.element = []field{element}
	}
	if err != nil {
		return err
	}
	if !strings.HasPrefix(p.rest, "]") {
		return fmt.Errorf("expected ] at %q", p.rest)
	}
	p.rest = p.rest[1:]
	f.cost = cost(f)
	return nil
}

func (p *parser) optional(f *field) (err error) {
	f.kind, f.structure = optional, true
	p.rest = p.rest[1:]
	if f.element, err = p.fields(); err != nil {
		return err
	}
	if !strings.HasPrefix(p.rest, "}") {
		return fmt.Errorf("expected } at %q", p.rest)
	}
	p.rest = p.rest[1:]
	f.cost = cost(f)
	return nil
}

// versions reads 2+ or 2-5.
func (p *parser) versions() (versions, error) {
	v, word := all, p.word()
	from, to, ranged := strings.Cut(word, "-")
	low, err := strconv.ParseInt(strings.TrimSuffix(from, "+"), 10, 16)
	if err != nil {
		return v, fmt.Errorf("versions %q: %w", word, err)
	}
	v.min = int16(low)
	if ranged {
		high, err := strconv.ParseInt(to, 10, 16)
		if err != nil {
			return v, fmt.Errorf("versions %q: %w", word, err)
		}
		v.max = int16(high)
	}
	return v, nil
}

const wordEnds = " \n\t]}?@"

func (p *parser) word() string {
	end := strings.IndexAny(p.rest, wordEnds)
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

func scalar(name string, f *field) error {
	switch name {
	case "bool", "int8":
		f.size = 1
	case "int16":
		f.size = 2
	case "int32":
		f.size = 4
	case "int64":
		f.size = 8
	case "uuid":
		f.size = 16
	case "string":
		f.kind = text
	case "bytes":
		f.kind = blob
	default:
		return fmt.Errorf("unknown type %q", name)
	}
	return nil
}

// cost of one element: fixed fields take their own size, padded; a string or a
// list has a header and perhaps a pointer to it.
func cost(f *field) int64 {
	if !f.structure && f.element[0].kind == fixed {
		return int64(f.element[0].size)
	}
	sum := int64(0)
	if f.structure {
		sum = 8
	}
	for _, e := range f.element {
		if e.kind == fixed {
			sum += max(int64(e.size), 4)
		} else if f.structure {
			sum += pointerCost
		} else {
			sum += fieldCost
		}
	}
	return sum
}

func isName(s string) bool {
	for _, r := range s {
		if r != '_' && (r < 'a' || r > 'z') {
			return false
		}
	}
	return s != ""
}
