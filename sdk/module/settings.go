package module

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
)

// Settings is what a user may configure of a module: a struct whose fields
// carry a `setting:"name"` tag and a `doc:"..."` tag of one line. Fields may
// be strings, booleans, integers, floats, time.Duration (written "250ms"), and
// slices and maps of these.
type Settings interface {
	// Validate reports what is wrong, naming the setting and what it allows.
	Validate() error
}

// NoSettings is for modules with nothing to configure.
type NoSettings struct{}

// Validate always succeeds.
func (NoSettings) Validate() error { return nil }

// NoDefaults is what a module with [NoSettings] gives for its defaults.
func NoDefaults() NoSettings { return NoSettings{} }

// UnknownSettingError is returned by [Factory.Check] for a name that the
// module does not have.
type UnknownSettingError struct {
	Setting string
	Known   []string
}

func (e *UnknownSettingError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("unknown setting %q: the module has no settings", e.Setting)
	}
	return fmt.Sprintf("unknown setting %q: the settings are %s", e.Setting, strings.Join(e.Known, ", "))
}

// Field describes one setting for documentation and for `odradek config print`.
type Field struct {
	Name, Type, Doc string
	Default         any
}

func fieldsOf(settings Settings) []Field {
	value := reflect.ValueOf(settings)
	var fields []Field
	for i := range value.NumField() {
		tag := value.Type().Field(i)
		if name := tag.Tag.Get("setting"); name != "" {
			fields = append(fields, Field{
				Name: name, Type: tag.Type.String(), Doc: tag.Tag.Get("doc"), Default: value.Field(i).Interface(),
			})
		}
	}
	return fields
}

// decode lays raw over the defaults that into points at. Unknown names and
// values of another type are refused; nothing is converted silently but text
// to a number, a boolean or a duration, since environment and command line
// have only text.
func decode(raw map[string]any, into any, known []Field) error {
	for name := range raw {
		if !has(known, name) {
			return &UnknownSettingError{Setting: name, Known: names(known)}
		}
	}
	decoder, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{
		Result: into, TagName: "setting", WeaklyTypedInput: true, ErrorUnused: true,
		MatchName:  func(key, field string) bool { return key == field },
		DecodeHook: mapstructure.ComposeDecodeHookFunc(refuseLossy, mapstructure.StringToTimeDurationHookFunc()),
	})
	if err != nil {
		return err
	}
	return refusal(decoder.Decode(raw))
}

// refuseLossy stops the conversions that WeaklyTypedInput would do quietly:
// numbers and booleans into text, booleans into numbers, a fraction or what is
// out of its range into an integer, a number without a unit into a duration.
func refuseLossy(from, to reflect.Type, value any) (any, error) {
	switch {
	case to == durationType && from != to:
		if text, ok := value.(string); !ok || !isDuration(text) {
			return nil, wrongTypeError{value, to}
		}
	case to.Kind() == reflect.String && from.Kind() != reflect.String,
		to.Kind() == reflect.Bool && from.Kind() != reflect.Bool && from.Kind() != reflect.String:
		return nil, wrongTypeError{value, to}
	case from.Kind() == reflect.Bool && (isInteger(to.Kind()) || isFloat(to.Kind())),
		isInteger(to.Kind()) && !fits(reflect.ValueOf(value), to):
		return nil, wrongTypeError{value, to}
	}
	return value, nil
}

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uint64 }

func isUnsigned(k reflect.Kind) bool { return k >= reflect.Uint && k <= reflect.Uint64 }

func isFloat(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }

// fits reports whether the integer type can have the value of a number. What is
// no number is left to the decoder, which parses text by the type's size.
func fits(number reflect.Value, integer reflect.Type) bool {
	switch {
	case number.CanFloat():
		f := number.Float()
		return f == float64(int64(f)) && fits(reflect.ValueOf(int64(f)), integer)
	case number.CanInt() && isUnsigned(integer.Kind()):
		return number.Int() >= 0 && !integer.OverflowUint(uint64(number.Int()))
	case number.CanInt():
		return !integer.OverflowInt(number.Int())
	case number.CanUint() && isUnsigned(integer.Kind()):
		return !integer.OverflowUint(number.Uint())
	case number.CanUint():
		return number.Uint() <= math.MaxInt64 && !integer.OverflowInt(int64(number.Uint()))
	}
	return true
}

func isDuration(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil
}

func has(fields []Field, name string) bool {
	for _, f := range fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

func names(fields []Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}
