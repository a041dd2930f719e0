import java.util.*;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.JoinGroupRequestData.*;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.*;
import org.apache.kafka.coordinator.group.classic.*;
import org.apache.kafka.coordinator.group.generated.*;
import org.apache.kafka.coordinator.group.modern.MemberState;
import org.apache.kafka.coordinator.group.modern.consumer.*;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Prints records of __consumer_offsets, each as a name with the version of its value, key and value in hexadecimal. No two numbers of a record are the same. */
public class Recorder {
    static final Uuid ONE = new Uuid(0x0102030405060708L, 0x090a0b0c0d0e0f10L), TWO = new Uuid(0x1112131415161718L, 0x191a1b1c1d1e1f20L);
    static final GroupCoordinatorRecordSerde SERDE = new GroupCoordinatorRecordSerde();

    public static void main(String[] args) {
        offsets();
        classicGroups();
        groups();
        members();
        targets();
        currents();
        expressions();
        written();
    }

    static void offsets() {
        print("legacy-offset", new LegacyOffsetCommitKey().setGroup("group").setTopic("topic").setPartition(3),
            new LegacyOffsetCommitValue().setOffset(42).setMetadata("metadata").setCommitTimestamp(1700000000001L), 0);
        var key = new OffsetCommitKey().setGroup("group").setTopic("topic").setPartition(3);
        for (int version = 0; version <= 4; version++) {
            var value = new OffsetCommitValue().setOffset(42).setMetadata("metadata").setCommitTimestamp(1700000000001L);
            if (version == 1) value.setExpireTimestamp(1700000000002L);
            if (version >= 3) value.setLeaderEpoch(5);
            if (version >= 4) value.setTopicId(ONE);
            print("offset", key, value, version);
        }
        print("offset-plain", key, new OffsetCommitValue(), 4);
        gone("offset-gone", key);
    }

    static void classicGroups() {
        var key = new GroupMetadataKey().setGroup("group");
        for (int version = 0; version <= 4; version++) {
            var one = new GroupMetadataValue.MemberMetadata().setMemberId("member-1").setClientId("client-1").setClientHost("/10.0.0.1")
                .setSessionTimeout(45000).setSubscription(bytes("subscription-1")).setAssignment(bytes("assignment-1"));
            var two = new GroupMetadataValue.MemberMetadata().setMemberId("member-2").setClientId("client-2").setClientHost("/10.0.0.2")
                .setSessionTimeout(45001).setSubscription(bytes("subscription-2")).setAssignment(bytes("assignment-2"));
            var value = new GroupMetadataValue().setProtocolType("consumer").setGeneration(7).setProtocol("range").setLeader("member-2").setMembers(List.of(one, two));
            if (version >= 1) one.setRebalanceTimeout(300000);
            if (version >= 1) two.setRebalanceTimeout(300001);
            if (version >= 2) value.setCurrentStateTimestamp(1700000000003L);
            if (version >= 3) one.setGroupInstanceId("instance-1");
            print("classic-group", key, value, version);
        }
        print("classic-group-plain", key, new GroupMetadataValue().setProtocol(null).setLeader(null), 3);
        gone("classic-group-gone", key);
    }

    static void groups() {
        var key = new ConsumerGroupMetadataKey().setGroupId("group");
        print("group", key, new ConsumerGroupMetadataValue().setEpoch(9).setMetadataHash(0x2122232425262728L), 0);
        print("group-plain", key, new ConsumerGroupMetadataValue(), 0);
        gone("group-gone", key);

        var old = new ConsumerGroupPartitionMetadataKey().setGroupId("group");
        var partition = new ConsumerGroupPartitionMetadataValue.PartitionMetadata().setPartition(1).setRacks(List.of("rack-a", "rack-b"));
        print("partition-metadata", old, new ConsumerGroupPartitionMetadataValue().setTopics(List.of(new ConsumerGroupPartitionMetadataValue.TopicMetadata()
            .setTopicId(ONE).setTopicName("topic").setNumPartitions(2).setPartitionMetadata(List.of(partition)))), 0);
        gone("partition-metadata-gone", old);
    }

    static void members() {
        var key = new ConsumerGroupMemberMetadataKey().setGroupId("group").setMemberId("member");
        var classic = new ConsumerGroupMemberMetadataValue.ClassicMemberMetadata().setSessionTimeoutMs(45000).setSupportedProtocols(List.of(
            new ConsumerGroupMemberMetadataValue.ClassicProtocol().setName("range").setMetadata(bytes("subscription-1")),
            new ConsumerGroupMemberMetadataValue.ClassicProtocol().setName("sticky").setMetadata(bytes("subscription-2"))));
        var value = new ConsumerGroupMemberMetadataValue().setInstanceId("instance").setRackId("rack").setClientId("client").setClientHost("/10.0.0.1")
            .setSubscribedTopicNames(List.of("topic-1", "topic-2")).setSubscribedTopicRegex("topic.*").setRebalanceTimeoutMs(300000).setServerAssignor("uniform");
        print("member", key, value, 0);
        print("member-classic", key, value.duplicate().setClassicMemberMetadata(classic), 0);
        print("member-plain", key, new ConsumerGroupMemberMetadataValue(), 0);
        gone("member-gone", key);
    }

    static void targets() {
        var key = new ConsumerGroupTargetAssignmentMetadataKey().setGroupId("group");
        print("target", key, new ConsumerGroupTargetAssignmentMetadataValue().setAssignmentEpoch(11).setAssignmentTimestamp(1700000000004L), 0);
        print("target-plain", key, new ConsumerGroupTargetAssignmentMetadataValue(), 0);
        gone("target-gone", key);

        var member = new ConsumerGroupTargetAssignmentMemberKey().setGroupId("group").setMemberId("member");
        print("target-member", member, new ConsumerGroupTargetAssignmentMemberValue().setTopicPartitions(List.of(
            new ConsumerGroupTargetAssignmentMemberValue.TopicPartition().setTopicId(ONE).setPartitions(List.of(0, 7)),
            new ConsumerGroupTargetAssignmentMemberValue.TopicPartition().setTopicId(TWO).setPartitions(List.of(300)))), 0);
        print("target-member-plain", member, new ConsumerGroupTargetAssignmentMemberValue(), 0);
        gone("target-member-gone", member);
    }

    static void currents() {
        var key = new ConsumerGroupCurrentMemberAssignmentKey().setGroupId("group").setMemberId("member");
        var value = new ConsumerGroupCurrentMemberAssignmentValue().setMemberEpoch(13).setPreviousMemberEpoch(12).setState((byte) 2)
            .setAssignedPartitions(List.of(partitions(ONE, 0, 7), partitions(TWO, 300))).setPartitionsPendingRevocation(List.of(partitions(TWO, 301, 302)));
        print("current-without-epochs", key, value.duplicate(), 0);
        value.assignedPartitions().get(0).setAssignmentEpochs(List.of(10, 11));
        value.assignedPartitions().get(1).setAssignmentEpochs(List.of(12));
        value.partitionsPendingRevocation().get(0).setAssignmentEpochs(List.of(8, 9));
        print("current", key, value, 0);
        print("current-plain", key, new ConsumerGroupCurrentMemberAssignmentValue(), 0);
        gone("current-gone", key);
    }

    static ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions partitions(Uuid topic, Integer... partitions) {
        return new ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions().setTopicId(topic).setPartitions(List.of(partitions));
    }

    static void expressions() {
        var key = new ConsumerGroupRegularExpressionKey().setGroupId("group").setRegularExpression("topic.*");
        print("regex", key, new ConsumerGroupRegularExpressionValue().setTopics(List.of("topic-1", "topic-2")).setVersion(15).setTimestamp(1700000000005L), 0);
        print("regex-plain", key, new ConsumerGroupRegularExpressionValue(), 0);
        gone("regex-gone", key);
    }

    /** Records that the coordinator itself makes, where that leaves open which version it writes, or which fields. */
    static void written() {
        print("offset-written", GroupCoordinatorRecordHelpers.newOffsetCommitRecord("group", "topic", 3,
            new OffsetAndMetadata(42, OptionalInt.of(5), "metadata", 1700000000001L, OptionalLong.empty(), ONE)));
        print("offset-written-expiring", GroupCoordinatorRecordHelpers.newOffsetCommitRecord("group", "topic", 3,
            new OffsetAndMetadata(42, OptionalInt.of(5), "metadata", 1700000000001L, OptionalLong.of(1700000000002L), ONE)));

        var group = new ClassicGroup(new LogContext(), "group", ClassicGroupState.STABLE, Time.SYSTEM, 7, Optional.of("consumer"), Optional.of("range"),
            Optional.of("member"), Optional.of(1700000000003L));
        var protocols = new JoinGroupRequestProtocolCollection();
        protocols.add(new JoinGroupRequestProtocol().setName("range").setMetadata(bytes("subscription")));
        group.add(new ClassicGroupMember("member", Optional.of("instance"), "client", "/10.0.0.1", 300000, 45000, "consumer", protocols));
        print("classic-group-written", GroupCoordinatorRecordHelpers.newGroupMetadataRecord(group, Map.of("member", bytes("assignment"))));

        var member = new ConsumerGroupMember.Builder("member").setClientId("client").setClientHost("/10.0.0.1").setRebalanceTimeoutMs(300000)
            .setSubscribedTopicNames(List.of("topic-1", "topic-2")).setMemberEpoch(13).setPreviousMemberEpoch(12).setState(MemberState.UNRELEASED_PARTITIONS)
            .setAssignedPartitions(Map.of(ONE, new TreeMap<>(Map.of(0, 10, 7, 11)))).setPartitionsPendingRevocation(Map.of(TWO, Map.of(300, 9))).build();
        print("member-written", GroupCoordinatorRecordHelpers.newConsumerGroupMemberSubscriptionRecord("group", member));
        print("current-written", GroupCoordinatorRecordHelpers.newConsumerGroupCurrentAssignmentRecord("group", member));
    }

    static byte[] bytes(String text) { return text.getBytes(); }

    static void print(String name, ApiMessage key, ApiMessage value, int version) {
        print(name, CoordinatorRecord.record(key, new ApiMessageAndVersion(value, (short) version)));
    }

    static void gone(String name, ApiMessage key) { print(name, CoordinatorRecord.tombstone(key)); }

    static void print(String name, CoordinatorRecord record) {
        byte[] key = SERDE.serializeKey(record), value = SERDE.serializeValue(record);
        if (value == null) System.out.printf("%s %s -%n", name, hex(key));
        else System.out.printf("%s/%d %s %s%n", name, record.value().version(), hex(key), hex(value));
    }

    static String hex(byte[] of) { return HexFormat.of().formatHex(of); }
}
