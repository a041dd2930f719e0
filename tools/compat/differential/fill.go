package differential

import (
	"math"
	"reflect"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// numbers are what a field of that name is set to, wherever it is.
var numbers = map[string][]int64{
	"NumPartitions":          {1, 1, 2, 3, -1, 0, -2, math.MinInt32},
	"Count":                  {1, 2, 2, 3, 4, 5, 0, -1},
	"ReplicationFactor":      {1, 1, 1, 1, -1, 0, 2, -2, math.MaxInt16},
	"Replicas":               {1, 1, 1, 1, 1, 2, -1},
	"TimeoutMillis":          {30_000},
	"LeaderEpoch":            {-1, 0, 0, 0, 1, 5, -2, math.MaxInt32},
	"CurrentLeaderEpoch":     {-1, -1, 0, 0, 1, 5, -2},
	"MaxNumOffsets":          {1},
	"ReplicaID":              {-1, -1, -1, -1, -2, 2},
	"IsolationLevel":         {0, 0, 1, 1, 2},
	"CoordinatorType":        {0, 0, 0, 2, 3, 7, -1},
	"ElectionType":           {0, 1, 2, -1},
	"EndpointType":           {1, 1, 2, 0, 3},
	"BrokerID":               {2, 7, -1, math.MaxInt32},
	"ResourceTypes":          {2, 4, 8, 16, 32, 0, 1, 64, -1},
	"ResponsePartitionLimit": {1, 2, 5, 2000, 0, -1, math.MaxInt32},
	"Offset":                 {-1, 0, 0, 1, 2, 5, 1000, -2, math.MaxInt64},
	"NodeID":                 {-1, 1, 2},
}

// fill sets every field of a request to something that its name makes likely,
// or to what it must not be.
func (d *draw) fill(q kmsg.Request) { d.structure(reflect.ValueOf(q).Elem(), d.topic) }

// fillChanging names topics that may be changed only.
func (d *draw) fillChanging(q kmsg.Request) { d.structure(reflect.ValueOf(q).Elem(), d.changing) }

func (d *draw) structure(v reflect.Value, topic func() string) {
	for n := range v.NumField() {
		field := v.Type().Field(n)
		if !field.IsExported() || field.Name == "Version" || field.Name == "UnknownTags" {
			continue
		}
		d.field(field.Name, v.Field(n), topic)
	}
}

func (d *draw) field(name string, v reflect.Value, topic func() string) {
	switch v.Kind() {
	case reflect.Struct:
		d.structure(v, topic)
	case reflect.Pointer:
		if !d.chance(6) {
			v.Set(reflect.New(v.Type().Elem()))
			d.field(name, v.Elem(), topic)
		}
	case reflect.Slice:
		if d.chance(10) {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), pick(d, 0, 1, 1, 1, 1, 1, 2, 2, 3), 4))
		for n := range v.Len() {
			d.field(name, v.Index(n), topic)
		}
	case reflect.Array:
		if !d.chance(4) {
			v.Set(reflect.ValueOf(topicPlaceholder(topic())))
		}
	case reflect.String:
		v.SetString(d.text(name, topic))
	case reflect.Bool:
		v.SetBool(d.chance(2))
	default:
		v.SetInt(d.number(name))
	}
}

func (d *draw) text(name string, topic func() string) string {
	switch name {
	case "Topic", "Topics", "TopicNames":
		return topic()
	case "Rack":
		return ""
	}
	return pick(d, "", "some", "other-1.2", "<>")
}

func (d *draw) number(name string) int64 {
	switch name {
	case "Partition", "Partitions":
		return int64(d.partition())
	case "Timestamp":
		return pick(d, -1, -1, -2, -2, -3, -3, -4, -5, -6, -7, 0, d.now-90_000, d.now-60_000, d.now, d.now+3_600_000, math.MaxInt64)
	}
	if values := numbers[name]; values != nil {
		return pick(d, values...)
	}
	return pick[int64](d, 0, 1, -1)
}
