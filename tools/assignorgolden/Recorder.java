import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.Function;
import java.util.stream.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.AbstractPartitionAssignor;
import org.apache.kafka.common.*;
import org.apache.kafka.coordinator.group.api.assignor.*;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.modern.*;

/** Prints the lives of groups, one snapshot a line in JSON, and what each of Kafka's assignors makes of it. */
public class Recorder {
    static class Member {
        String id, instance = "", rack = "";
        SortedSet<String> topics = new TreeSet<>();
        SortedMap<String, SortedSet<Integer>> owned = new TreeMap<>();
        int generation = -1;
    }

    static final int SMALL = 104, LARGE = 6, TANGLED = 60, STEPS = 4;
    static final String[] RACKS = {"r0", "r1", "r2"};

    final Random random;
    final boolean alike, racks, tangled;
    /** The most partitions that a topic begins with. */
    final int most;
    final SortedMap<String, Member> members = new TreeMap<>();
    /** For each topic and partition the racks of its replicas. */
    final SortedMap<String, List<List<String>>> topics = new TreeMap<>();
    int named = 0;

    Recorder(int seed) {
        random = new Random(seed);
        tangled = seed >= SMALL + LARGE;
        // Every second group has members of equal subscriptions, of the tangled ones none; two of three have racks.
        alike = !tangled && seed % 2 == 0;
        racks = seed % 3 != 0;
        most = seed < SMALL ? 11 : tangled ? 8 : 60;
        for (int t = 0; t < (seed < SMALL ? 1 + random.nextInt(4) : tangled ? 5 : 8); t++) addTopic();
        for (int m = 0; m < (seed < SMALL ? 1 + random.nextInt(7) : tangled ? 8 : 20); m++) join();
        tidy();
    }

    public static void main(String[] args) {
        for (int seed = 0; seed < SMALL + LARGE + TANGLED; seed++) {
            Recorder group = new Recorder(seed);
            for (int step = 0; step < STEPS; step++) {
                group.print();
                group.settle(seed % 4 < 2, step + 1);
                group.change(step);
            }
        }
    }

    // ---- what happens to a group

    void addTopic() {
        String name = "t" + named++;
        topics.put(name, new ArrayList<>());
        addPartitions(name, 1 + random.nextInt(most));
        boolean known = !racks || random.nextInt(5) > 0;
        if (!known) topics.get(name).replaceAll(r -> List.of());
        for (Member m : members.values()) if (subscribes()) m.topics.add(name);
    }

    boolean subscribes() { return alike || random.nextInt(4) > (tangled ? 1 : 0); }

    void addPartitions(String topic, int more) {
        int most = 1 + random.nextInt(3);
        for (int p = 0; p < more; p++) {
            int first = random.nextInt(3);
            topics.get(topic).add(!racks ? List.of() : IntStream.range(first, first + most).mapToObj(r -> RACKS[r % 3]).sorted().toList());
        }
    }

    void join() {
        Member m = new Member();
        m.id = "consumer-" + Integer.toHexString(random.nextInt());
        if (random.nextInt(3) == 0) m.instance = "i" + Integer.toHexString(random.nextInt(4096)) + m.id.substring(9, 10);
        if (racks && random.nextInt(5) > 0) m.rack = RACKS[random.nextInt(3)];
        for (String t : topics.keySet()) if (subscribes()) m.topics.add(t);
        members.put(m.id, m);
    }

    void change(int step) {
        for (int i = 0; i < (tangled ? 6 : 1) + random.nextInt(2); i++) {
            List<String> names = new ArrayList<>(topics.keySet()), ids = new ArrayList<>(members.keySet());
            String topic = names.get(random.nextInt(names.size())), id = ids.get(random.nextInt(ids.size()));
            switch (random.nextInt(8)) {
                case 0: break;
                case 1: if (ids.size() > 1) members.remove(id); break;
                case 2: join(); break;
                case 3: addTopic(); break;
                case 4: addPartitions(topic, 1 + random.nextInt(4)); break;
                case 5:
                    if (names.size() == 1) break;
                    topics.remove(topic);
                    members.values().forEach(m -> m.topics.remove(topic));
                    break;
                case 6:
                    if (alike) join();
                    else if (!members.get(id).topics.remove(topic)) members.get(id).topics.add(topic);
                    break;
                case 7: claim(members.get(id), step); break;
            }
        }
        tidy();
    }

    /** Every topic has a subscriber, and there is one. */
    void tidy() {
        topics.keySet().removeIf(t -> members.values().stream().noneMatch(m -> m.topics.contains(t)));
        if (topics.isEmpty()) addTopic();
        if (members.values().stream().allMatch(m -> m.topics.isEmpty())) members.values().forEach(m -> m.topics.addAll(topics.keySet()));
    }

    /** The member says that it has what others have, of an older generation, or of the same. */
    void claim(Member m, int step) {
        if (random.nextInt(3) > 0) m.generation = random.nextInt(step + 1);
        for (String t : m.topics)
            for (int p = 0; p < topics.get(t).size(); p++)
                if (random.nextInt(3) == 0) m.owned.computeIfAbsent(t, x -> new TreeSet<>()).add(p);
    }

    void settle(boolean uniform, int generation) {
        Map<String, SortedMap<String, SortedSet<Integer>>> given = uniform ? uniform() : client(new StickyAssignor(), true);
        if (given == null) given = uniform();
        for (Member m : members.values()) {
            m.owned = given.get(m.id);
            m.generation = generation;
        }
    }

    // ---- Kafka's answers

    /** What a classic assignor of the client gives; null if it throws. */
    Map<String, SortedMap<String, SortedSet<Integer>>> client(AbstractPartitionAssignor assignor, boolean inUserData) {
        Map<String, List<PartitionInfo>> infos = new TreeMap<>();
        topics.forEach((t, partitions) -> infos.put(t, IntStream.range(0, partitions.size()).mapToObj(p -> {
            Node[] replicas = partitions.get(p).stream().map(r -> new Node(r.charAt(1), "h", 1, r)).toArray(Node[]::new);
            return new PartitionInfo(t, p, null, replicas, replicas);
        }).toList()));
        // As in the client: a HashMap.
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (Member m : members.values()) {
            List<TopicPartition> owned = new ArrayList<>();
            m.owned.forEach((t, partitions) -> partitions.forEach(p -> owned.add(new TopicPartition(t, p))));
            Subscription s = new Subscription(List.copyOf(m.topics), inUserData ? userData(m) : null, inUserData ? List.of() : owned,
                m.generation, m.rack.isEmpty() ? Optional.empty() : Optional.of(m.rack));
            if (!m.instance.isEmpty()) s.setGroupInstanceId(Optional.of(m.instance));
            subscriptions.put(m.id, s);
        }
        Map<String, SortedMap<String, SortedSet<Integer>>> given = new TreeMap<>();
        members.keySet().forEach(id -> given.put(id, new TreeMap<>()));
        try {
            assignor.assignPartitions(infos, subscriptions).forEach((id, partitions) -> partitions.forEach(tp ->
                given.get(id).computeIfAbsent(tp.topic(), x -> new TreeSet<>()).add(tp.partition())));
        } catch (RuntimeException e) {
            System.err.println(assignor.name() + " threw " + e);
            return null;
        }
        return given;
    }

    /** What StickyAssignor sends of what it had: topics with partitions, and the generation. */
    static ByteBuffer userData(Member m) {
        ByteBuffer data = ByteBuffer.allocate(65536);
        data.putInt(m.owned.size());
        m.owned.forEach((t, partitions) -> {
            byte[] name = t.getBytes(StandardCharsets.UTF_8);
            data.putShort((short) name.length).put(name).putInt(partitions.size());
            partitions.forEach(data::putInt);
        });
        data.putInt(m.generation);
        data.flip();
        return data;
    }

    Map<String, SortedMap<String, SortedSet<Integer>>> uniform() { return server(new UniformAssignor()); }

    /** What an assignor of the broker gives. It walks members and topics in ascending order: so are the tables that it gets. */
    Map<String, SortedMap<String, SortedSet<Integer>>> server(ConsumerGroupPartitionAssignor assignor) {
        SortedSet<String> names = new TreeSet<>(topics.keySet());
        members.values().forEach(m -> names.addAll(m.owned.keySet()));
        List<String> byId = new ArrayList<>(names);
        Function<String, Uuid> id = t -> new Uuid(0, byId.indexOf(t));
        Map<Uuid, Map<Integer, String>> owner = owners(id);
        Map<String, MemberSubscriptionAndAssignmentImpl> specs = new TreeMap<>();
        for (Member m : members.values()) {
            SortedMap<Uuid, Set<Integer>> owned = new TreeMap<>();
            owner.forEach((t, partitions) -> partitions.forEach((p, o) -> {
                if (o.equals(m.id)) owned.computeIfAbsent(t, x -> new TreeSet<>()).add(p);
            }));
            specs.put(m.id, new MemberSubscriptionAndAssignmentImpl(m.rack.isEmpty() ? Optional.empty() : Optional.of(m.rack),
                m.instance.isEmpty() ? Optional.empty() : Optional.of(m.instance),
                m.topics.stream().map(id).collect(Collectors.toCollection(TreeSet::new)), new Assignment(Collections.unmodifiableMap(owned))));
        }
        boolean equal = members.values().stream().map(m -> m.topics).distinct().count() == 1;
        GroupAssignment answer = assignor.assign(
            new GroupSpecImpl(specs, equal ? SubscriptionType.HOMOGENEOUS : SubscriptionType.HETEROGENEOUS, owner),
            new SubscribedTopicDescriber() {
                public int numPartitions(Uuid t) { return topics.getOrDefault(byId.get((int) t.getLeastSignificantBits()), List.of()).size(); }
                public Set<String> racksForPartition(Uuid t, int p) {
                    return Set.copyOf(topics.get(byId.get((int) t.getLeastSignificantBits())).get(p));
                }
            });
        Map<String, SortedMap<String, SortedSet<Integer>>> given = new TreeMap<>();
        members.keySet().forEach(m -> given.put(m, new TreeMap<>()));
        answer.members().forEach((m, a) -> a.partitions().forEach((t, partitions) ->
            given.get(m).put(byId.get((int) t.getLeastSignificantBits()), new TreeSet<>(partitions))));
        return given;
    }

    /** The broker knows for certain who had what: of the subscribers that claim it the one of the highest generation, if it is one. */
    Map<Uuid, Map<Integer, String>> owners(Function<String, Uuid> id) {
        Map<Uuid, Map<Integer, String>> owner = new TreeMap<>();
        for (Member m : members.values())
            for (String t : m.owned.keySet())
                for (int p : m.owned.get(t)) {
                    List<Member> claims = members.values().stream()
                        .filter(o -> o.owned.getOrDefault(t, Collections.emptySortedSet()).contains(p))
                        .filter(o -> !topics.containsKey(t) || o.topics.contains(t)).toList();
                    int highest = claims.stream().mapToInt(o -> o.generation).max().orElse(-1);
                    List<Member> best = claims.stream().filter(o -> o.generation == highest).toList();
                    if (best.size() == 1) owner.computeIfAbsent(id.apply(t), x -> new TreeMap<>()).put(p, best.get(0).id);
                }
        return owner;
    }

    /** Each partition once, and only to subscribers. */
    boolean exact(Map<String, SortedMap<String, SortedSet<Integer>>> given) {
        if (given == null) return false;
        Set<String> seen = new HashSet<>();
        for (String id : given.keySet())
            for (String t : given.get(id).keySet())
                for (int p : given.get(id).get(t))
                    if (!members.get(id).topics.contains(t) || p >= topics.get(t).size() || !seen.add(t + "/" + p)) return false;
        return seen.size() == topics.values().stream().mapToInt(List::size).sum();
    }

    // ---- JSON

    void print() {
        var sticky = client(new StickyAssignor(), true);
        // Both sticky assignors decide alike; of the cooperative one's answer, which holds back what moves, it cannot be seen whether it is exact.
        var cooperative = exact(sticky) ? client(new CooperativeStickyAssignor(), false) : null;
        System.out.printf("{\"members\":%s,\"topics\":%s,\"range\":%s,\"roundrobin\":%s,\"sticky\":%s,\"cooperativeSticky\":%s,\"serverRange\":%s,\"uniform\":%s}%n",
            list(members.values(), m -> String.format("{\"id\":\"%s\",\"instance\":\"%s\",\"rack\":\"%s\",\"topics\":%s,\"generation\":%d,\"owned\":%s}",
                m.id, m.instance, m.rack, list(m.topics, Recorder::text), m.generation, map(m.owned, Object::toString))),
            list(topics.entrySet(), t -> String.format("{\"name\":\"%s\",\"racks\":%s}", t.getKey(), list(t.getValue(), r -> list(r, Recorder::text)))),
            answer(exactOnly(client(new RangeAssignor(), false))), answer(exactOnly(client(new RoundRobinAssignor(), false))),
            answer(exactOnly(sticky)), answer(cooperative),
            answer(exactOnly(server(new org.apache.kafka.coordinator.group.assignor.RangeAssignor()))), answer(exactOnly(uniform())));
    }

    Map<String, SortedMap<String, SortedSet<Integer>>> exactOnly(Map<String, SortedMap<String, SortedSet<Integer>>> given) {
        return exact(given) ? given : null;
    }

    static String answer(Map<String, SortedMap<String, SortedSet<Integer>>> given) {
        if (given == null) return "null";
        return list(given.values(), m -> map(m, Object::toString));
    }

    static String text(String s) { return "\"" + s + "\""; }

    static <T> String list(Collection<T> of, Function<T, String> each) { return of.stream().map(each).collect(Collectors.joining(",", "[", "]")); }

    static <T> String map(SortedMap<String, T> of, Function<T, String> each) {
        return of.entrySet().stream().map(e -> text(e.getKey()) + ":" + each.apply(e.getValue()).replace(" ", "")).collect(Collectors.joining(",", "{", "}"));
    }
}
