package grouplog

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// ErrUnknownType is a key of a kind that this release does not have: share and
// streams groups, or what a later Kafka wrote. Kafka passes over such records
// too.
var ErrUnknownType = errors.New("record type of __consumer_offsets is unknown")

// Decode reads a record. A nil value is a tombstone's. The bytes are not kept.
// What it allocates is in proportion to the bytes.
func Decode(key, value []byte) (Record, error) {
	r := kbin.Reader{Src: key}
	k := readKey(&r)
	if k == nil && r.Ok() {
		return Record{}, fmt.Errorf("%w: %d", ErrUnknownType, int16(key[0])<<8|int16(key[1]))
	}
	if err := r.Complete(); err != nil {
		return Record{}, fmt.Errorf("key of a record of __consumer_offsets is broken: %w", err)
	}
	if value == nil {
		return Record{Key: k}, nil
	}
	v, err := decodeValue(k, value)
	if err != nil {
		return Record{}, fmt.Errorf("value of %T of group %q is broken: %w", k, k.GroupID(), err)
	}
	return Record{Key: k, Value: v}, nil
}

func decodeValue(k Key, value []byte) (Value, error) {
	switch k.(type) {
	case OffsetKey:
		return readOffset(value)
	case ClassicGroupKey:
		v := &ClassicGroup{kmsg.NewGroupMetadataValue()}
		return v, readWire(value, lastClassicGroupVersion, &v.Version, v.ReadFrom)
	case PartitionMetadataKey:
		return nil, nil
	}
	r := kbin.Reader{Src: value}
	if version := r.Int16(); r.Ok() && version != modernVersion {
		return nil, fmt.Errorf("version %d is unknown", version)
	}
	v := readModern(k, &r)
	if !r.Ok() || len(r.Src) > 0 {
		return nil, kbin.ErrNotEnoughData
	}
	return v, nil
}

// readOffset has -1 for what the version does not have, where kmsg has 0: an
// expiry long past, and a leader epoch that was.
func readOffset(value []byte) (*Offset, error) {
	v := &Offset{kmsg.NewOffsetCommitValue()}
	err := readWire(value, offsetVersion, &v.Version, v.ReadFrom)
	if v.Version != expiringOffsetVersion {
		v.ExpireTimestamp = -1
	}
	if v.Version < leaderEpochSince {
		v.LeaderEpoch = -1
	}
	return v, err
}

// readWire reads a value that kmsg has, once its version is known to be one
// that kmsg has too.
func readWire(value []byte, last int16, version *int16, read func([]byte) error) error {
	r := kbin.Reader{Src: value}
	if *version = r.Int16(); r.Ok() && (*version < 0 || *version > last) {
		return fmt.Errorf("version %d is unknown", *version)
	}
	return read(value)
}

func readModern(k Key, r *kbin.Reader) Value {
	switch k.(type) {
	case ConsumerGroupKey:
		v := &ConsumerGroup{Epoch: r.Int32()}
		readTags(r, func(field *kbin.Reader) { v.MetadataHash = field.Int64() })
		return v
	case MemberKey:
		return readMember(r)
	case TargetKey:
		v := &Target{Epoch: r.Int32()}
		readTags(r, func(field *kbin.Reader) { v.Timestamp = field.Int64() })
		return v
	case TargetMemberKey:
		return readTargetMember(r)
	case CurrentKey:
		v := &Current{Epoch: r.Int32(), PreviousEpoch: r.Int32(), State: r.Int8()}
		v.Assigned, v.PendingRevocation = readAssigned(r), readAssigned(r)
		readTags(r, nil)
		return v
	}
	v := &Regex{Topics: readStrings(r), Version: r.Int64(), Timestamp: r.Int64()}
	readTags(r, nil)
	return v
}

func readMember(r *kbin.Reader) *Member {
	v := &Member{
		InstanceID: r.CompactNullableString(), RackID: r.CompactNullableString(),
		ClientID: r.CompactString(), ClientHost: r.CompactString(),
		Topics: readStrings(r), Regex: r.CompactNullableString(),
		RebalanceTimeoutMillis: r.Int32(), ServerAssignor: r.CompactNullableString(),
	}
	readTags(r, func(field *kbin.Reader) { v.Classic = readClassicMember(field) })
	return v
}

func readClassicMember(r *kbin.Reader) *ClassicMember {
	if r.Uvarint() == 0 {
		return nil
	}
	v := &ClassicMember{SessionTimeoutMillis: r.Int32()}
	for range readLen(r) {
		p := ClassicProtocol{Name: r.CompactString(), Metadata: r.CompactBytes()}
		readTags(r, nil)
		if !r.Ok() {
			break
		}
		p.Metadata = append([]byte(nil), p.Metadata...)
		v.Protocols = append(v.Protocols, p)
	}
	readTags(r, nil)
	return v
}

func readTargetMember(r *kbin.Reader) *TargetMember {
	v := new(TargetMember)
	for range readLen(r) {
		p := TopicPartitions{TopicID: r.Uuid(), Partitions: readInt32s(r)}
		readTags(r, nil)
		if !r.Ok() {
			break
		}
		v.Partitions = append(v.Partitions, p)
	}
	readTags(r, nil)
	return v
}

func readAssigned(r *kbin.Reader) (all []AssignedPartitions) {
	for range readLen(r) {
		var p AssignedPartitions
		p.TopicID, p.Partitions = r.Uuid(), readInt32s(r)
		readTags(r, func(field *kbin.Reader) { p.Epochs = readInt32s(field) })
		if !r.Ok() {
			break
		}
		all = append(all, p)
	}
	return all
}

func readStrings(r *kbin.Reader) (all []string) {
	for range readLen(r) {
		s := r.CompactString()
		if !r.Ok() {
			break
		}
		all = append(all, s)
	}
	return all
}

func readInt32s(r *kbin.Reader) []int32 {
	n := readLen(r)
	if n > len(r.Src)/4 {
		r.Span(len(r.Src) + 1)
		return nil
	}
	all := make([]int32, n)
	for i := range all {
		all[i] = r.Int32()
	}
	return all
}

// readLen is at most what is left to read, in bytes; what it counts is read one
// by one and breaks off at the end, so a wrong length costs nothing.
func readLen(r *kbin.Reader) int { return int(max(r.CompactArrayLen(), 0)) }

// readTags reads the tagged fields at the end of a structure; zero is given
// that of tag 0.
func readTags(r *kbin.Reader, zero func(*kbin.Reader)) {
	for range r.Uvarint() {
		tag, length := r.Uvarint(), r.Uvarint()
		field := kbin.Reader{Src: r.Span(int(length))}
		if !r.Ok() {
			return
		}
		if tag != 0 || zero == nil {
			continue
		}
		if zero(&field); !field.Ok() {
			r.Span(len(r.Src) + 1)
			return
		}
	}
}
