import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Kafka's own consumer behind the arguments and lines of program.go. */
public class GroupReader {
    private static volatile boolean leaving;

    public static void main(String[] args) throws Exception {
        Map<String, Object> config = new HashMap<>(Map.of(
            "bootstrap.servers", args[0], "group.id", args[1], "group.protocol", args[2], "auto.offset.reset", "earliest", "fetch.max.wait.ms", 100,
            "enable.auto.commit", args[6]));
        if (!args[4].isEmpty()) {
            config.put("group.remote.assignor", args[4]);
        }
        List<Thread> members = new ArrayList<>();
        for (int member = 0; member < Integer.parseInt(args[5]); member++) {
            int number = member;
            members.add(new Thread(() -> consume(number, config, args[3])));
        }
        members.forEach(Thread::start);
        awaitEnd();
        for (Thread member : members) {
            member.join();
        }
    }

    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) { }
        leaving = true;
    }

    private static void consume(int number, Map<String, Object> config, String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            while (!leaving) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    print(number + " " + record.partition() + " " + record.offset());
                }
            }
        } catch (RuntimeException e) {
            print("failed " + e);
        }
    }

    private static synchronized void print(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
