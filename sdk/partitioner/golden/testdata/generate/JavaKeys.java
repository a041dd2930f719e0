import java.nio.file.*;
import java.util.HexFormat;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/** Prints where the Java producer puts each key of keys.hex. */
public class JavaKeys {
    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Path.of("keys.hex"))) {
            for (int n : new int[] {1, 2, 3, 7, 12, 50, 128, 1000}) {
                int p = BuiltInPartitioner.partitionForKey(HexFormat.of().parseHex(line), n);
                System.out.println("\"" + line + "\"\t" + n + "\t" + p);
            }
        }
    }
}
