import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/** Writes the golden vectors with the Java client's own streams, or reads vectors back with them. */
public final class Vectors {
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[1]);
        if (args[0].equals("write")) write(folder);
        else read(folder);
    }

    static Map<String, byte[]> payloads() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("empty", new byte[0]);
        all.put("short", "odradek".getBytes(StandardCharsets.UTF_8));
        all.put("text", text(100_000));
        all.put("noise", noise(40_000));
        return all;
    }

    static byte[] text(int size) {
        StringBuilder lines = new StringBuilder();
        long x = 1;
        for (int i = 0; lines.length() < size; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            lines.append("record ").append(i).append(" value ").append(x >>> 48).append('\n');
        }
        return Arrays.copyOf(lines.toString().getBytes(StandardCharsets.US_ASCII), size);
    }

    static byte[] noise(int size) {
        byte[] out = new byte[size];
        long x = 1;
        for (int i = 0; i < size; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            out[i] = (byte) (x >>> 56);
        }
        return out;
    }

    static Map<String, Compression> codecs() {
        Map<String, Compression> all = new LinkedHashMap<>();
        all.put("gzip", Compression.gzip().build());
        all.put("gzip-1", Compression.gzip().level(1).build());
        all.put("gzip-9", Compression.gzip().level(9).build());
        all.put("snappy", Compression.snappy().build());
        all.put("lz4", Compression.lz4().build());
        all.put("lz4-1", Compression.lz4().level(1).build());
        all.put("lz4-17", Compression.lz4().level(17).build());
        all.put("zstd", Compression.zstd().build());
        all.put("zstd--7", Compression.zstd().level(-7).build());
        all.put("zstd-22", Compression.zstd().level(22).build());
        return all;
    }

    static void write(Path folder) throws Exception {
        for (Map.Entry<String, Compression> codec : codecs().entrySet()) {
            for (Map.Entry<String, byte[]> payload : payloads().entrySet()) {
                boolean leveled = codec.getKey().contains("-");
                if (leveled && !payload.getKey().equals("text")) continue;
                ByteBufferOutputStream buffer = new ByteBufferOutputStream(512);
                try (OutputStream out = codec.getValue().wrapForOutput(buffer, RecordBatch.MAGIC_VALUE_V2)) {
                    out.write(payload.getValue());
                }
                ByteBuffer bytes = buffer.buffer();
                bytes.flip();
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(copy);
                Files.write(folder.resolve(payload.getKey() + "." + codec.getKey()), copy);
            }
        }
    }

    static void read(Path folder) throws Exception {
        Map<String, byte[]> payloads = payloads();
        Map<String, Compression> codecs = codecs();
        try (var files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                String name = file.getFileName().toString();
                byte[] want = payloads.get(name.substring(0, name.indexOf('.')));
                String codec = name.substring(name.indexOf('.') + 1).split("-")[0];
                ByteArrayOutputStream got = new ByteArrayOutputStream();
                try (InputStream in = codecs.get(codec).wrapForInput(
                        ByteBuffer.wrap(Files.readAllBytes(file)), RecordBatch.MAGIC_VALUE_V2, BufferSupplier.NO_CACHING)) {
                    in.transferTo(got);
                }
                System.out.println(name + " " + (Arrays.equals(want, got.toByteArray()) ? "same" : "DIFFERENT"));
            }
        }
    }
}
