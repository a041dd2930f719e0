package differential

import (
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Placeholders stand for identities in what is planned and in what is
// compared: the nth of the producer ids that are used, any other that a broker
// gave out, the nth fetch session, and the id of a topic by its name.
const (
	firstProducer   = int64(1) << 40
	anotherProducer = firstProducer + 1000
	firstSession    = int32(1) << 28
)

func topicPlaceholder(name string) (id [16]byte) {
	if len(name) > len(id)-len("id:") || name == "" {
		return [16]byte{1}
	}
	copy(id[:], "id:"+name)
	return id
}

func placeholderName(id [16]byte) (string, bool) {
	name, is := strings.CutPrefix(strings.TrimRight(string(id[:]), "\x00"), "id:")
	return name, is
}

// identities are those that one broker chose.
type identities struct {
	// topics has the latest id of each name, names every id that ever was.
	topics    map[string][16]byte
	names     map[[16]byte]string
	producers []int64
	sessions  []int32
	// members have what members of groups were told, by placeholder, and
	// memberNames the placeholder of every id that one of them had.
	members     map[string]*told
	memberNames map[string]string
}

func newIdentities() *identities {
	return &identities{topics: map[string][16]byte{}, names: map[[16]byte]string{}, members: map[string]*told{}, memberNames: map[string]string{}}
}

// fill puts the broker's identities where the placeholders of a request are.
// What the broker has not given out yet stays a placeholder, which is unknown
// to it.
func (i *identities) fill(q kmsg.Request) {
	walk(reflect.ValueOf(q).Elem(), func(name string, v reflect.Value) {
		switch name {
		case "TopicID":
			if topic, is := placeholderName(v.Interface().([16]byte)); is {
				if id, known := i.topics[topic]; known {
					v.Set(reflect.ValueOf(id))
				}
			}
		case "ProducerID":
			v.SetInt(i.producer(v.Int()))
		case "SessionID":
			if n := int(v.Int()) - int(firstSession); n >= 0 && n < len(i.sessions) {
				v.SetInt(int64(i.sessions[n]))
			}
		case "Records":
			v.SetBytes(i.fillBatch(v.Bytes()))
		}
	})
}

func (i *identities) producer(placeholder int64) int64 {
	if n := placeholder - firstProducer; n >= 0 && n < int64(len(i.producers)) {
		return i.producers[n]
	}
	return placeholder
}

// Where the CRC of a batch is, what it covers, and the producer id.
const (
	crcAt, coveredFrom = 17, 21
	producerAt         = 43
	batchHeader        = 61
)

// fillBatch keeps a CRC that was wrong wrong.
func (i *identities) fillBatch(batch []byte) []byte {
	if len(batch) < batchHeader {
		return batch
	}
	id := int64(binary.BigEndian.Uint64(batch[producerAt:]))
	if i.producer(id) == id {
		return batch
	}
	out := append([]byte(nil), batch...)
	binary.BigEndian.PutUint64(out[producerAt:], uint64(i.producer(id)))
	wrong := binary.BigEndian.Uint32(batch[crcAt:]) ^ checksum(batch)
	binary.BigEndian.PutUint32(out[crcAt:], checksum(out)^wrong)
	return out
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(batch []byte) uint32 { return crc32.Checksum(batch[coveredFrom:], castagnoli) }

// empty puts placeholders where the broker's identities are in an answer, and
// remembers those that are new.
func (i *identities) empty(response kmsg.Response) {
	top := reflect.ValueOf(response).Elem()
	i.learn(top)
	walk(top, func(name string, v reflect.Value) {
		switch name {
		case "TopicID":
			if topic, known := i.names[v.Interface().([16]byte)]; known {
				v.Set(reflect.ValueOf(topicPlaceholder(topic)))
			}
		case "ProducerID":
			v.SetInt(i.emptyProducer(v.Int()))
		case "SessionID":
			v.SetInt(int64(i.emptySession(int32(v.Int()))))
		case "MemberID", "LeaderID":
			i.emptyMember(v)
		case "UsableBytes":
			v.SetInt(min(v.Int(), 1)) // the disk is used while it is asked about
		}
	})
}

func (i *identities) emptyProducer(id int64) int64 {
	if id < 0 || id >= firstProducer {
		return id
	}
	for n, known := range i.producers {
		if known == id {
			return firstProducer + int64(n)
		}
	}
	if len(i.producers) < producers {
		i.producers = append(i.producers, id)
		return firstProducer + int64(len(i.producers)-1)
	}
	return anotherProducer
}

func (i *identities) emptySession(id int32) int32 {
	if id == 0 {
		return 0
	}
	for n, known := range i.sessions {
		if known == id {
			return firstSession + int32(n)
		}
	}
	i.sessions = append(i.sessions, id)
	return firstSession + int32(len(i.sessions)-1)
}

// learn finds structures that have both a topic's name and its id. In a refusal
// they may be those of two topics.
func (i *identities) learn(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for n := range v.Len() {
			i.learn(v.Index(n))
		}
	case reflect.Struct:
		name, id := reflect.Indirect(v.FieldByName("Topic")), v.FieldByName("TopicID")
		code := v.FieldByName("ErrorCode")
		refused := code.IsValid() && code.Int() != 0
		if name.IsValid() && id.IsValid() && !refused && name.String() != "" && !id.IsZero() {
			i.topics[name.String()] = id.Interface().([16]byte)
			i.names[id.Interface().([16]byte)] = name.String()
		}
		for n := range v.NumField() {
			if v.Type().Field(n).IsExported() {
				i.learn(v.Field(n))
			}
		}
	}
}

// walk visits every field of a structure and of those in it.
func walk(v reflect.Value, visit func(name string, field reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Struct {
			return
		}
		for n := range v.Len() {
			walk(v.Index(n), visit)
		}
	case reflect.Struct:
		for n := range v.NumField() {
			if field := v.Type().Field(n); field.IsExported() {
				visit(field.Name, v.Field(n))
				walk(v.Field(n), visit)
			}
		}
	}
}
