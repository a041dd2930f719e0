import java.util.*;
import java.util.stream.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.AbstractPartitionAssignor;
import org.apache.kafka.common.*;

/** Prints random groups, one a line in JSON, and what Java's assignors make of them. */
public class JavaGroups {
    record Member(String id, String instance, String rack, List<String> topics) {}

    static final Random random = new Random(20);

    public static void main(String[] args) {
        for (int i = 0; i < 240; i++) {
            // Every second group has topics of equal size; three of four have racks, one of these not for every topic.
            boolean alike = i % 2 == 0, racks = i % 4 != 3;
            Map<String, List<PartitionInfo>> topics = new TreeMap<>();
            int size = 1 + random.nextInt(9);
            for (int t = 0; t < 1 + random.nextInt(4); t++)
                topics.put("t" + t, topic("t" + t, alike ? size : 1 + random.nextInt(9), racks && (i % 8 > 3 || random.nextBoolean())));
            List<Member> members = new ArrayList<>();
            for (int m = 0; m < 1 + random.nextInt(6); m++)
                members.add(member(m, topics.keySet(), alike, racks));
            topics.keySet().removeIf(t -> members.stream().noneMatch(m -> m.topics.contains(t)));
            System.out.printf("{\"members\":%s,\"topics\":%s,\"range\":%s,\"roundrobin\":%s}%n",
                json(members, m -> String.format("{\"id\":\"%s\",\"instance\":\"%s\",\"rack\":\"%s\",\"topics\":%s}",
                    m.id, m.instance, m.rack, json(m.topics, t -> "\"" + t + "\""))),
                json(topics.entrySet(), t -> String.format("{\"name\":\"%s\",\"racks\":%s}", t.getKey(), json(t.getValue(), JavaGroups::racks))),
                answer(new RangeAssignor(), topics, members), answer(new RoundRobinAssignor(), topics, members));
        }
    }

    static List<PartitionInfo> topic(String name, int partitions, boolean racks) {
        List<PartitionInfo> infos = new ArrayList<>();
        int most = 1 + random.nextInt(3);
        for (int p = 0; p < partitions; p++) {
            int first = random.nextInt(3), replicas = most == 3 ? 3 : 1 + random.nextInt(most);
            Node[] nodes = new Node[replicas];
            for (int r = 0; r < replicas; r++)
                nodes[r] = new Node((first + r) % 3, "h", 1, racks ? "r" + (first + r) % 3 : null);
            infos.add(new PartitionInfo(name, p, nodes[0], nodes, nodes));
        }
        return infos;
    }

    static Member member(int m, Set<String> topics, boolean alike, boolean racks) {
        List<String> subscribed = topics.stream().filter(t -> alike || random.nextInt(4) > 0).toList();
        String instance = random.nextInt(3) == 0 ? "i" + (9 - m) : "";
        return new Member("m" + m, instance, racks && random.nextInt(5) > 0 ? "r" + random.nextInt(3) : "", subscribed);
    }

    static String racks(PartitionInfo info) {
        Set<String> racks = new TreeSet<>();
        for (Node n : info.replicas()) if (n.rack() != null) racks.add(n.rack());
        return json(racks, r -> "\"" + r + "\"");
    }

    static String answer(AbstractPartitionAssignor assignor, Map<String, List<PartitionInfo>> topics, List<Member> members) {
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (Member m : members) {
            Subscription s = new Subscription(m.topics, null, List.of(), -1, m.rack.isEmpty() ? Optional.empty() : Optional.of(m.rack));
            if (!m.instance.isEmpty()) s.setGroupInstanceId(Optional.of(m.instance));
            subscriptions.put(m.id, s);
        }
        Map<String, List<TopicPartition>> assigned = assignor.assignPartitions(topics, subscriptions);
        return json(members, m -> {
            Map<String, List<Integer>> byTopic = new TreeMap<>();
            for (TopicPartition tp : assigned.get(m.id)) byTopic.computeIfAbsent(tp.topic(), t -> new ArrayList<>()).add(tp.partition());
            return json(byTopic.entrySet(), t -> String.format("{\"topic\":\"%s\",\"partitions\":%s}", t.getKey(), t.getValue().stream().sorted().toList()));
        });
    }

    static <T> String json(Collection<T> of, java.util.function.Function<T, String> each) {
        return of.stream().map(each).collect(Collectors.joining(",", "[", "]"));
    }
}
