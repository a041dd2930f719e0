package grouplog

import "github.com/twmb/franz-go/pkg/kbin"

func (k OffsetKey) appendTo(b []byte) []byte {
	b = kbin.AppendInt16(b, offsetType)
	b = kbin.AppendString(b, k.Group)
	b = kbin.AppendString(b, k.Topic)
	return kbin.AppendInt32(b, k.Partition)
}

func (k ClassicGroupKey) appendTo(b []byte) []byte  { return appendKey(b, classicGroupType, k.Group) }
func (k ConsumerGroupKey) appendTo(b []byte) []byte { return appendKey(b, consumerGroupType, k.Group) }
func (k PartitionMetadataKey) appendTo(b []byte) []byte {
	return appendKey(b, partitionMetaType, k.Group)
}
func (k MemberKey) appendTo(b []byte) []byte { return appendKey(b, memberType, k.Group, k.Member) }
func (k TargetKey) appendTo(b []byte) []byte { return appendKey(b, targetType, k.Group) }
func (k TargetMemberKey) appendTo(b []byte) []byte {
	return appendKey(b, targetMemberType, k.Group, k.Member)
}
func (k CurrentKey) appendTo(b []byte) []byte { return appendKey(b, currentType, k.Group, k.Member) }
func (k RegexKey) appendTo(b []byte) []byte   { return appendKey(b, regexType, k.Group, k.Regex) }

// appendKey writes a key that is strings alone. Keys are not flexible.
func appendKey(b []byte, kind int16, parts ...string) []byte {
	b = kbin.AppendInt16(b, kind)
	for _, part := range parts {
		b = kbin.AppendString(b, part)
	}
	return b
}

// readKey returns nil for a type that is not of this package.
func readKey(r *kbin.Reader) Key {
	switch r.Int16() {
	case legacyOffsetType, offsetType:
		return OffsetKey{Group: r.String(), Topic: r.String(), Partition: r.Int32()}
	case classicGroupType:
		return ClassicGroupKey{r.String()}
	case consumerGroupType:
		return ConsumerGroupKey{r.String()}
	case partitionMetaType:
		return PartitionMetadataKey{r.String()}
	case memberType:
		return MemberKey{Group: r.String(), Member: r.String()}
	case targetType:
		return TargetKey{r.String()}
	case targetMemberType:
		return TargetMemberKey{Group: r.String(), Member: r.String()}
	case currentType:
		return CurrentKey{Group: r.String(), Member: r.String()}
	case regexType:
		return RegexKey{Group: r.String(), Regex: r.String()}
	}
	return nil
}
