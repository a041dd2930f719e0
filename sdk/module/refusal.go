package module

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
)

var durationType = reflect.TypeFor[time.Duration]()

// wrongTypeError is a value that a setting of the type cannot have.
type wrongTypeError struct {
	value any
	want  reflect.Type
}

func (e wrongTypeError) Error() string {
	value := fmt.Sprint(e.value)
	if text, ok := e.value.(string); ok {
		value = fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("is %s; it must be %s", value, typeText(e.want))
}

// typeText says what a user may write for a type.
func typeText(t reflect.Type) string {
	switch {
	case t == durationType:
		return `a duration with its unit, as in "250ms"`
	case isUnsigned(t.Kind()):
		return fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64)>>(64-t.Bits()))
	case isInteger(t.Kind()) && t.Bits() == 64:
		return "a whole number"
	case isInteger(t.Kind()):
		return fmt.Sprintf("a whole number from %d to %d", int64(math.MinInt64)>>(64-t.Bits()), int64(math.MaxInt64)>>(64-t.Bits()))
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "a mapping"
	default:
		return "text"
	}
}

// refusal puts what the decoder found wrong on one line, the settings in the
// order of their names. It returns nil for nil.
func refusal(err error) error {
	if err == nil {
		return nil
	}
	wrong := wrongSettings(err)
	slices.Sort(wrong)
	return Invalidf("%s", strings.Join(slices.Compact(wrong), "; "))
}

// wrongSettings is a text for each setting that err is about.
func wrongSettings(err error) []string {
	switch e := err.(type) {
	case *mapstructure.DecodeError:
		return []string{e.Name() + " " + wrongValue(e.Unwrap())}
	case interface{ Unwrap() []error }:
		var wrong []string
		for _, one := range e.Unwrap() {
			wrong = append(wrong, wrongSettings(one)...)
		}
		return wrong
	}
	if inner := errors.Unwrap(err); inner != nil {
		return wrongSettings(inner)
	}
	return []string{err.Error()}
}

// wrongValue is the decoder's reason in the words of a configuration and not of
// Go.
func wrongValue(err error) string {
	if e := (*mapstructure.ParseError)(nil); errors.As(err, &e) {
		return wrongTypeError{e.Value, e.Expected.Type()}.Error()
	}
	if e := (*mapstructure.UnconvertibleTypeError)(nil); errors.As(err, &e) {
		return wrongTypeError{e.Value, e.Expected.Type()}.Error()
	}
	return err.Error()
}
