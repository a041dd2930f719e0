package differential

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// fields are the values of an answer by their path, as
// "Topics[plain].Partitions[0].ErrorCode". An element of a list is called by
// what identifies it; the order of a list is a field of its own, ".order".
type fields map[string]string

// none is the value of a field that only the other broker's answer has.
const none = "none"

// there is the value of an element of a list, whose fields have paths that
// begin with its own.
const there = "there"

// order ends the path of what says in which order the elements of a list are.
const order = ".order"

// connectionField says what became of the connection.
const connectionField = "connection"

func fieldsOf(response kmsg.Response) fields {
	out := fields{connectionField: "answered"}
	out.structure("", reflect.ValueOf(response).Elem())
	return out
}

func (f fields) structure(path string, v reflect.Value) {
	for n := range v.NumField() {
		field := v.Type().Field(n)
		if !field.IsExported() || field.Name == "Version" {
			continue
		}
		if path == "" {
			f.value(field.Name, v.Field(n))
		} else {
			f.value(path+"."+field.Name, v.Field(n))
		}
	}
}

func (f fields) value(path string, v reflect.Value) {
	if tags, ok := v.Interface().(kmsg.Tags); ok {
		tags.Each(func(number uint32, value []byte) { f[fmt.Sprintf("%s.%d", path, number)] = hex.EncodeToString(value) })
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		f.structure(path, v)
	case reflect.Pointer:
		if v.IsNil() {
			f[path] = "null"
		} else {
			f.value(path, v.Elem())
		}
	case reflect.Slice:
		f.list(path, v)
	case reflect.String:
		f[path] = fmt.Sprintf("%q", v.String())
	case reflect.Array:
		f[path] = identity(v.Interface().([16]byte))
	default:
		f[path] = fmt.Sprint(v.Interface())
		if v.CanInt() {
			f[path] = fmt.Sprint(v.Int())
		}
	}
}

func identity(id [16]byte) string {
	if name, is := placeholderName(id); is {
		return "the id of " + name
	}
	return hex.EncodeToString(id[:])
}

func (f fields) list(path string, v reflect.Value) {
	switch {
	case v.Type().Elem().Kind() == reflect.Uint8 && strings.HasSuffix(path, "RecordBatches"):
		f.batches(path, v.Bytes())
		return
	case strings.HasSuffix(path, ".SubscribedTopics"),
		strings.HasSuffix(path, ".Partitions") && v.Type().Elem().Kind() == reflect.Int32:
		f.set(path, v)
		return
	case v.Type().Elem().Kind() != reflect.Struct:
		f[path] = fmt.Sprint(v.Interface())
		return
	case v.IsNil():
		f[path+order] = ""
		return
	}
	seen, labels := map[string]int{}, make([]string, v.Len())
	for n := range v.Len() {
		label := labelOf(v.Index(n), n)
		if seen[label]++; seen[label] > 1 {
			label = fmt.Sprintf("%s again %d", label, seen[label])
		}
		labels[n] = label
		f[path+"["+label+"]"] = there
		f.structure(path+"["+label+"]", v.Index(n))
	}
	f[path+order] = strings.Join(labels, "|")
}

// set is for lists of single values that mean the same in any order.
func (f fields) set(path string, v reflect.Value) {
	all := make([]string, v.Len())
	for n := range all {
		all[n] = fmt.Sprint(v.Index(n).Interface())
	}
	f[path+order] = strings.Join(all, "|")
	slices.Sort(all)
	f[path] = fmt.Sprint(all)
}

// identifying are the names of fields by which elements are called, in pairs
// where one alone says too little.
var identifying = [][2]string{
	{"ResourceType", "ResourceName"}, {"Name"}, {"Topic"}, {"TopicID"}, {"Partition"}, {"ApiKey"}, {"NodeID"}, {"ReplicaID"}, {"ProducerID"}, {"Feature"}, {"Dir"}, {"Key"}, {"Group"}, {"MemberID"},
}

func labelOf(v reflect.Value, position int) string {
	for _, names := range identifying {
		first := reflect.Indirect(v.FieldByName(names[0]))
		if !first.IsValid() || first.IsZero() && first.Kind() != reflect.Int32 && first.Kind() != reflect.Int16 {
			continue
		}
		label := fmt.Sprint(first.Interface())
		if id, ok := first.Interface().([16]byte); ok {
			label = identity(id)
		}
		if second := v.FieldByName(names[1]); second.IsValid() {
			label += " " + second.String()
		}
		return label
	}
	for _, names := range identifying {
		if v.FieldByName(names[0]).IsValid() {
			return "(empty)"
		}
	}
	return fmt.Sprint("#", position)
}
