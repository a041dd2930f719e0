import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** One member by Kafka's own client; arguments and lines are those of gomember, but for the library. */
public class ChurnMember implements ConsumerRebalanceListener {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KafkaConsumer<byte[], byte[]> consumer;
    private volatile boolean leaving;

    private ChurnMember(Map<String, Object> config) {
        consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    public static void main(String[] args) {
        Map<String, Object> config = new HashMap<>(Map.of(
            "bootstrap.servers", args[0], "group.id", args[1], "group.protocol", args[2], "auto.offset.reset", "earliest",
            "enable.auto.commit", false, "max.poll.interval.ms", args[5], "fetch.max.wait.ms", 100, "reconnect.backoff.max.ms", 200));
        if (args[2].equals("classic")) {
            config.put("session.timeout.ms", args[4]);
            config.put("heartbeat.interval.ms", Integer.parseInt(args[4]) / 6);
            config.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer.RangeAssignor");
        }
        new ChurnMember(config).run(args[3]);
    }

    private void run(String topic) {
        Thread input = new Thread(this::awaitEnd);
        input.setDaemon(true);
        input.start();
        consumer.subscribe(List.of(topic), this);
        while (!leaving) {
            try {
                process(consumer.poll(Duration.ofMillis(500)));
            } catch (WakeupException e) {
                break;
            } catch (KafkaException e) {
                failed(e);
            }
        }
        consumer.close();
    }

    private void awaitEnd() {
        try {
            while (System.in.read() >= 0) { }
        } catch (IOException e) {
            failed(e);
        }
        leaving = true;
        consumer.wakeup();
    }

    private void process(ConsumerRecords<byte[], byte[]> polled) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : polled.partitions()) {
            long first = -1;
            long last = -1;
            for (ConsumerRecord<byte[], byte[]> record : polled.records(partition)) {
                if (first >= 0 && record.offset() != last + 1) {
                    print(event("records").put("partition", partition.partition()).put("first", first).put("last", last));
                    first = -1;
                }
                first = first < 0 ? record.offset() : first;
                last = record.offset();
            }
            print(event("records").put("partition", partition.partition()).put("first", first).put("last", last));
            offsets.put(partition, new OffsetAndMetadata(last + 1));
        }
        if (!offsets.isEmpty()) {
            each("committing", offsets);
            consumer.commitSync(offsets, Duration.ofSeconds(3));
            each("committed", offsets);
        }
    }

    private static void each(String kind, Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, at) -> print(event(kind).put("partition", partition.partition()).put("offset", at.offset())));
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        changed("assigned", partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        changed("revoked", partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        changed("lost", partitions);
    }

    private void changed(String kind, Collection<TopicPartition> partitions) {
        ObjectNode line = event(kind)
            .put("member", consumer.groupMetadata().memberId())
            .put("generation", consumer.groupMetadata().generationId());
        partitions.forEach(partition -> line.withArray("partitions").add(partition.partition()));
        print(line);
    }

    private static void failed(Exception e) {
        print(event("failed").put("error", e.toString()));
    }

    private static ObjectNode event(String kind) {
        return JSON.createObjectNode().put("event", kind).put("at", System.currentTimeMillis());
    }

    private static synchronized void print(ObjectNode line) {
        System.out.println(line);
    }
}
