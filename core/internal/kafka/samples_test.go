package kafka

import (
	"reflect"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// sample is a request of the version with every array of one element, every
// string of one letter and nothing null.
func sample(key, version int16) kmsg.Request { return sampleOf(key, version, 1) }

// sampleOf has so many elements in the arrays that are in no other.
func sampleOf(key, version int16, elements int) kmsg.Request {
	q := kmsg.RequestForKey(key)
	q.SetVersion(version)
	fill(reflect.ValueOf(q).Elem(), elements)
	return q
}

func fill(v reflect.Value, elements int) {
	if d, ok := v.Addr().Interface().(interface{ Default() }); ok {
		d.Default()
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("a")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), 1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), elements, elements))
		for i := range elements {
			fill(v.Index(i), 1)
		}
	case reflect.Struct:
		eachField(v, func(field reflect.Value) { fill(field, elements) })
	}
}

// eachField visits the fields of a request or of a part of one, but for the tags
// that it does not know.
func eachField(v reflect.Value, visit func(reflect.Value)) {
	for i := range v.NumField() {
		if field := v.Field(i); field.Type() != reflect.TypeFor[kmsg.Tags]() {
			visit(field)
		}
	}
}

// eachLength visits what has a length on the wire: strings, bytes and arrays.
// Of arrays it goes into the last element.
func eachLength(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		visit(v)
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.String {
			visit(v)
			return
		}
		eachLength(v.Elem(), visit)
	case reflect.Slice:
		visit(v)
		eachLength(v.Index(v.Len()-1), visit)
	case reflect.Struct:
		eachField(v, func(field reflect.Value) { eachLength(field, visit) })
	}
}

func eachVersion(visit func(a *api, version int16)) {
	for _, a := range newTable().rows {
		for version := a.min; version <= a.max; version++ {
			visit(a, version)
		}
	}
}

func eachSample(visit func(a *api, version int16, frame []byte)) {
	eachVersion(func(a *api, version int16) { visit(a, version, frame(sample(a.key, version), 1)[4:]) })
}
