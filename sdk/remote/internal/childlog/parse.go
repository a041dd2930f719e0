package childlog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/go-hclog"
)

// entry is one line of hclog's JSON form.
type entry struct {
	level   hclog.Level
	name    string
	message string
	// pairs is key, value, key, value, ... in ascending order of key.
	pairs []any
}

// parse reads a line in hclog's JSON form; ok is false if it is not in it. The
// line is a stranger's: nothing is assumed of the types of its values.
func parse(line []byte) (e entry, ok bool) {
	if len(line) == 0 || line[0] != '{' {
		return entry{}, false
	}
	var raw map[string]any
	if json.Unmarshal(line, &raw) != nil {
		return entry{}, false
	}
	level, hasLevel := raw["@level"].(string)
	message, hasMessage := raw["@message"].(string)
	e.level = hclog.LevelFromString(level)
	if !hasLevel || !hasMessage || e.level == hclog.NoLevel || e.level == hclog.Off {
		return entry{}, false
	}
	e.message = printable(message)
	if name, ok := raw["@module"].(string); ok {
		e.name = printable(name)
	}
	for _, key := range sortedKeys(raw) {
		if !strings.HasPrefix(key, "@") {
			e.pairs = append(e.pairs, printable(key), value(raw[key]))
		}
	}
	return e, true
}

func sortedKeys(raw map[string]any) []string {
	keys := make([]string, 0, len(raw))
	for key := range raw {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func value(v any) any {
	switch v := v.(type) {
	case string:
		return printable(v)
	case float64, bool, nil:
		return v
	default:
		return printable(fmt.Sprint(v))
	}
}

// printable writes control characters and broken UTF-8 as escapes, so that a
// module cannot forge lines or drive a terminal.
func printable(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
