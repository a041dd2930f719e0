package remote

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"odradek.dev/sdk/module"
)

// encodeSettings writes settings as they were given: what they mean is for the
// module's factory to say, in whatever process it runs.
func encodeSettings(settings map[string]any) ([]byte, error) {
	if settings == nil {
		return []byte("{}"), nil
	}
	encoded, err := json.Marshal(portable(settings))
	if err != nil {
		return nil, module.Invalidf("the settings cannot be given to another process: %w", err)
	}
	return encoded, nil
}

// portable writes durations as text, since JSON would make numbers of them.
func portable(value any) any {
	switch value := value.(type) {
	case time.Duration:
		return value.String()
	case map[string]any:
		out := make(map[string]any, len(value))
		for name, element := range value {
			out[name] = portable(element)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, element := range value {
			out[i] = portable(element)
		}
		return out
	}
	return value
}

// decodeSettings gives numbers back as the configuration's parser would have:
// whole ones as integers, so that a number for a text is refused here as there.
func decodeSettings(encoded []byte) (map[string]any, error) {
	var settings map[string]any
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	if err := decoder.Decode(&settings); err != nil {
		return nil, module.Invalidf("the settings are not a JSON object: %w", err)
	}
	for name, value := range settings {
		settings[name] = plain(value)
	}
	return settings, nil
}

func plain(value any) any {
	switch value := value.(type) {
	case json.Number:
		return number(value)
	case map[string]any:
		for name, element := range value {
			value[name] = plain(element)
		}
	case []any:
		for i, element := range value {
			value[i] = plain(element)
		}
	}
	return value
}

func number(n json.Number) any {
	if whole, err := n.Int64(); err == nil {
		return whole
	}
	if !strings.ContainsAny(n.String(), ".eE") {
		var unsigned uint64
		if json.Unmarshal([]byte(n), &unsigned) == nil {
			return unsigned
		}
	}
	fraction, err := n.Float64()
	if err != nil {
		return n.String()
	}
	return fraction
}
