import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.internals.Exit;

/**
 * Runs main methods of Kafka's tools one after another in this JVM, since starting one takes longer than most tools run. Each line
 * of standard input is {"class", "args", "stdin"}; each is answered by a line {"exit", "out", "err"}.
 */
public class ToolRunner {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Ends a tool where it would have ended the JVM. */
    private static final class Ended extends Error {
        Ended() {
            super(null, null, false, false);
        }
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Runnable> hooks = new ArrayList<>();
    private Integer exit;

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(JSON.writeValueAsString(new ToolRunner().run(JSON.readTree(line))));
            answers.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    private Map<String, Object> run(JsonNode request) throws Exception {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        System.setIn(new ByteArrayInputStream(request.get("stdin").asText().getBytes(StandardCharsets.UTF_8)));
        Exit.setExitProcedure(this::end);
        Exit.setHaltProcedure(this::end);
        Exit.setShutdownHookAdder((name, hook) -> hooks.add(hook));
        List<String> args = new ArrayList<>();
        request.get("args").forEach(arg -> args.add(arg.asText()));
        try {
            Class.forName(request.get("class").asText()).getMethod("main", String[].class).invoke(null, (Object) args.toArray(new String[0]));
        } catch (InvocationTargetException e) {
            if (exit == null) {
                e.getCause().printStackTrace(System.err);
                exit = 1;
            }
        }
        for (Runnable hook : hooks) {
            hook.run();
        }
        return Map.of(
            "exit", exit == null ? 0 : exit,
            "out", out.toString(StandardCharsets.UTF_8),
            "err", err.toString(StandardCharsets.UTF_8));
    }

    /** What a tool prints after its end, because it catches everything, would not have been printed. */
    private void end(int status, String message) {
        if (exit == null) {
            exit = status;
            System.setOut(new PrintStream(OutputStream.nullOutputStream()));
            System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        }
        throw new Ended();
    }
}
