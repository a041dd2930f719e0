package grouplog

import "github.com/twmb/franz-go/pkg/kbin"

// The versions of values that are written.
const (
	offsetVersion int16 = 4
	// expiringOffsetVersion is the only one with a time of its own at which the
	// offset expires; it has no leader epoch.
	expiringOffsetVersion int16 = 1
	classicGroupVersion   int16 = 3
	modernVersion         int16 = 0
)

// leaderEpochSince is the first version of an offset with a leader epoch.
const leaderEpochSince int16 = 3

// lastClassicGroupVersion is read besides: version 4 is flexible.
const lastClassicGroupVersion int16 = 4

// Encode appends a record's key and value to b. Both are parts of what it
// returns; the value of a tombstone is nil.
func Encode(b []byte, r Record) (both, key, value []byte) {
	at := len(b)
	b = r.Key.appendTo(b)
	end := len(b)
	if r.Value != nil {
		b = r.Value.appendTo(b)
		value = b[end:len(b):len(b)]
	}
	return b, b[at:end:end], value
}

func (v *Offset) appendTo(b []byte) []byte {
	written := v.OffsetCommitValue
	written.Version = offsetVersion
	if v.ExpireTimestamp >= 0 {
		written.Version = expiringOffsetVersion
	}
	return written.AppendTo(b)
}

func (v *ClassicGroup) appendTo(b []byte) []byte {
	written := v.GroupMetadataValue
	written.Version = classicGroupVersion
	return written.AppendTo(b)
}

func (v *ConsumerGroup) appendTo(b []byte) []byte {
	b = kbin.AppendInt16(b, modernVersion)
	b = kbin.AppendInt32(b, v.Epoch)
	return appendTagInt64(b, v.MetadataHash)
}

func (v *Member) appendTo(b []byte) []byte {
	b = kbin.AppendInt16(b, modernVersion)
	b = kbin.AppendCompactNullableString(b, v.InstanceID)
	b = kbin.AppendCompactNullableString(b, v.RackID)
	b = kbin.AppendCompactString(b, v.ClientID)
	b = kbin.AppendCompactString(b, v.ClientHost)
	b = appendStrings(b, v.Topics)
	b = kbin.AppendCompactNullableString(b, v.Regex)
	b = kbin.AppendInt32(b, v.RebalanceTimeoutMillis)
	b = kbin.AppendCompactNullableString(b, v.ServerAssignor)
	return appendTag(b, 0, v.Classic.appendTo(nil))
}

// appendTo writes the field with the byte before it that says whether it is
// there. Null is written out too: Kafka takes a field that is left out for an
// empty structure, and so the member for a classic one.
func (v *ClassicMember) appendTo(b []byte) []byte {
	if v == nil {
		return kbin.AppendUvarint(b, 0)
	}
	b = kbin.AppendUvarint(b, 1)
	b = kbin.AppendInt32(b, v.SessionTimeoutMillis)
	b = kbin.AppendCompactArrayLen(b, len(v.Protocols))
	for _, p := range v.Protocols {
		b = kbin.AppendCompactString(b, p.Name)
		b = kbin.AppendCompactBytes(b, p.Metadata)
		b = appendTags(b)
	}
	return appendTags(b)
}

func (v *Target) appendTo(b []byte) []byte {
	b = kbin.AppendInt16(b, modernVersion)
	b = kbin.AppendInt32(b, v.Epoch)
	return appendTagInt64(b, v.Timestamp)
}

func (v *TargetMember) appendTo(b []byte) []byte {
	b = kbin.AppendInt16(b, modernVersion)
	b = kbin.AppendCompactArrayLen(b, len(v.Partitions))
	for _, p := range v.Partitions {
		b = appendPartitions(b, p)
		b = appendTags(b)
	}
	return appendTags(b)
}

func (v *Current) appendTo(b []byte) []byte {
	b = kbin.AppendInt16(b, modernVersion)
	b = kbin.AppendInt32(b, v.Epoch)
	b = kbin.AppendInt32(b, v.PreviousEpoch)
	b = kbin.AppendInt8(b, v.State)
	b = appendAssigned(b, v.Assigned)
	b = appendAssigned(b, v.PendingRevocation)
	return appendTags(b)
}

func (v *Regex) appendTo(b []byte) []byte {
	b = kbin.AppendInt16(b, modernVersion)
	b = appendStrings(b, v.Topics)
	b = kbin.AppendInt64(b, v.Version)
	b = kbin.AppendInt64(b, v.Timestamp)
	return appendTags(b)
}

func appendStrings(b []byte, all []string) []byte {
	b = kbin.AppendCompactArrayLen(b, len(all))
	for _, s := range all {
		b = kbin.AppendCompactString(b, s)
	}
	return b
}

func appendInt32s(b []byte, all []int32) []byte {
	b = kbin.AppendCompactArrayLen(b, len(all))
	for _, n := range all {
		b = kbin.AppendInt32(b, n)
	}
	return b
}

func appendPartitions(b []byte, p TopicPartitions) []byte {
	b = kbin.AppendUuid(b, p.TopicID)
	return appendInt32s(b, p.Partitions)
}

func appendAssigned(b []byte, all []AssignedPartitions) []byte {
	b = kbin.AppendCompactArrayLen(b, len(all))
	for _, p := range all {
		b = appendPartitions(b, p.TopicPartitions)
		if len(p.Epochs) == 0 {
			b = appendTags(b)
			continue
		}
		b = appendTagHead(b, 0, kbin.UvarintLen(uint32(len(p.Epochs)+1))+4*len(p.Epochs))
		b = appendInt32s(b, p.Epochs)
	}
	return b
}

// appendTags ends a structure without tagged fields.
func appendTags(b []byte) []byte { return kbin.AppendUvarint(b, 0) }

// appendTag ends a structure with one tagged field.
func appendTag(b []byte, tag uint32, field []byte) []byte {
	return append(appendTagHead(b, tag, len(field)), field...)
}

// appendTagHead is appendTag for a field of so many bytes that is yet to follow.
func appendTagHead(b []byte, tag uint32, size int) []byte {
	b = kbin.AppendUvarint(b, 1)
	b = kbin.AppendUvarint(b, tag)
	return kbin.AppendUvarint(b, uint32(size))
}

// appendTagInt64 ends a structure whose only tagged field is a number that is
// left out if it is 0.
func appendTagInt64(b []byte, n int64) []byte {
	if n == 0 {
		return appendTags(b)
	}
	return kbin.AppendInt64(appendTagHead(b, 0, 8), n)
}
