package config

import (
	"maps"
	"slices"
	"strings"
)

// key joins a definition to the field of S that its value sets.
type key[S any] struct {
	Definition
	// set checks text and stores it; into nil it only checks.
	set func(into *S, text string) error
}

// define makes a key. One without a field is inert.
func define[S, T any](d Definition, s syntax[T], field func(*S) *T) key[S] {
	d.Type, d.Allowed = s.kind, s.allowed
	if d.Inert = d.Inert || field == nil; d.Inert {
		d.Doc += " Has no effect yet."
	}
	d.check = func(text string) error {
		if _, ok := s.parse(strings.TrimSpace(text)); !ok {
			return &ValueError{Name: d.Name, Value: text, Allowed: s.allowed}
		}
		return nil
	}
	return key[S]{Definition: d, set: func(into *S, text string) error {
		if err := d.check(text); err != nil || field == nil || into == nil {
			return err
		}
		*field(into), _ = s.parse(strings.TrimSpace(text))
		return nil
	}}
}

// noDefault stands for a default that is null.
const noDefault = "\x00"

// inert makes the key of a broker config that nothing acts on yet.
func inert[T any](name string, s syntax[T], standard, doc string) key[Broker] {
	d := Definition{Name: name, Default: standard, HasDefault: true, Doc: doc, Sensitive: s.kind == Password}
	if standard == noDefault {
		d.Default, d.HasDefault = "", false
	}
	return define[Broker, T](d, s, nil)
}

// table is keys by name.
type table[S any] map[string]key[S]

func tableOf[S any](groups ...[]key[S]) table[S] {
	t := table[S]{}
	for _, k := range slices.Concat(groups...) {
		t[k.Name] = k
	}
	return t
}

// names is in ascending order.
func (t table[S]) names() []string { return slices.Sorted(maps.Keys(t)) }
