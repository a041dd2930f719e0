package kafka

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A string, bytes or an array is null only in the versions in which the protocol
// says so. Elsewhere it is refused before anything is decoded, even if it is the
// last of hundreds of elements.
func TestNullsAreThoseOfTheProtocol(t *testing.T) {
	table := newTable()
	refused, accepted := 0, 0
	eachVersion(func(a *api, version int16) {
		q := sampleOf(a.key, version, 512)
		eachLength(reflect.ValueOf(q).Elem(), func(field reflect.Value) {
			body, nullable, present := withNull(q, field, a.flexible(version))
			if !present {
				return
			}
			whole := frame(q, 1)[4:]
			hostile := append(whole[:len(whole)-len(q.AppendTo(nil))], body...)
			err := parseAll(table, hostile)
			if nullable {
				accepted++
				require.NoError(t, err, "%s version %d", a.name, version)
				return
			}
			refused++
			require.ErrorContains(t, err, "null", "%s version %d", a.name, version)
			requireCheap(t, table, hostile)
		})
	})
	require.Greater(t, refused, 100)
	require.Greater(t, accepted, 100)
}

// withNull is the body of q with field as null. It is nullable if kmsg writes it
// so, and not present if it is not in the version. The first byte that changes
// when something becomes empty is the last, or only one, of its length.
func withNull(q kmsg.Request, field reflect.Value, flexible bool) (body []byte, nullable, present bool) {
	full := reflect.New(field.Type()).Elem()
	full.Set(field)
	defer field.Set(full)
	if field.Kind() == reflect.Slice {
		field.Set(field.Slice(0, 1))
	}
	one := q.AppendTo(nil)
	field.Set(emptied(field))
	body = q.AppendTo(nil)
	if bytes.Equal(body, one) {
		return nil, false, false
	}
	at := 0
	for body[at] == one[at] {
		at++
	}
	switch {
	case flexible:
		body[at] = 0
	case isText(field):
		copy(body[at-1:], []byte{0xff, 0xff})
	default:
		copy(body[at-3:], []byte{0xff, 0xff, 0xff, 0xff})
	}
	field.SetZero()
	return body, bytes.Equal(body, q.AppendTo(nil)), true
}

func isText(field reflect.Value) bool {
	return field.Kind() == reflect.String || field.Kind() == reflect.Pointer
}

func emptied(field reflect.Value) reflect.Value {
	switch field.Kind() {
	case reflect.Pointer:
		return reflect.New(field.Type().Elem())
	case reflect.Slice:
		return reflect.MakeSlice(field.Type(), 0, 0)
	}
	return reflect.Zero(field.Type())
}
