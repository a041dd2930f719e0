import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's own client behind the lines of process.go. */
public class JavaClient {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws Exception {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            ObjectNode answer = JSON.createObjectNode();
            try {
                JsonNode request = JSON.readTree(line);
                if (request.get("records").isNull()) {
                    answer.set("records", read(request));
                } else {
                    write(request);
                }
            } catch (Exception e) {
                answer.put("error", e.toString());
            }
            System.out.println(JSON.writeValueAsString(answer));
        }
    }

    private static void write(JsonNode request) throws Exception {
        Map<String, Object> config = Map.of(
            "bootstrap.servers", request.get("addr").asText(),
            "compression.type", request.get("codec").asText(),
            "max.request.size", 2_000_000,
            "linger.ms", 20);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (JsonNode record : request.get("records")) {
                ProducerRecord<byte[], byte[]> out = new ProducerRecord<>(
                    request.get("topic").asText(), 0, record.get("timestamp").asLong(), bytes(record.get("key")), bytes(record.get("value")));
                for (JsonNode header : record.get("headers")) {
                    out.headers().add(header.get("name").asText(), bytes(header.get("value")));
                }
                sent.add(producer.send(out));
            }
        }
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
    }

    private static ArrayNode read(JsonNode request) {
        Map<String, Object> config = Map.of("bootstrap.servers", request.get("addr").asText(), "enable.auto.commit", false);
        TopicPartition partition = new TopicPartition(request.get("topic").asText(), 0);
        ArrayNode records = JSON.createArrayNode();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (records.size() < request.get("count").asInt()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    ObjectNode out = records.addObject();
                    out.put("offset", record.offset()).put("timestamp", record.timestamp()).put("key", record.key()).put("value", record.value());
                    ArrayNode headers = out.putArray("headers");
                    for (Header header : record.headers()) {
                        headers.addObject().put("name", header.key()).put("value", header.value());
                    }
                }
            }
        }
        return records;
    }

    private static byte[] bytes(JsonNode node) throws Exception {
        return node.isNull() ? null : node.binaryValue();
    }
}
