import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.common.config.ConfigResource;

/** Prints name, type, default, update mode and secrecy of each config of one topic or broker. */
public class Dump {
    public static void main(String[] args) throws Exception {
        var resource = new ConfigResource(ConfigResource.Type.valueOf(args[1]), args[2]);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
            var options = new DescribeConfigsOptions().includeSynonyms(true);
            var config = admin.describeConfigs(List.of(resource), options).all().get().get(resource);
            config.entries().stream().sorted(Comparator.comparing(ConfigEntry::name)).forEach(Dump::print);
        }
    }

    static void print(ConfigEntry entry) {
        System.out.println(String.join("\t", entry.name(), entry.type().name(), standard(entry),
            entry.isReadOnly() ? "read-only" : "dynamic", entry.isSensitive() ? "secret" : "open"));
    }

    static String standard(ConfigEntry entry) {
        for (var synonym : entry.synonyms()) {
            if (synonym.source() == ConfigEntry.ConfigSource.DEFAULT_CONFIG) {
                return "=" + synonym.value();
            }
        }
        boolean isDefault = entry.source() == ConfigEntry.ConfigSource.DEFAULT_CONFIG;
        return isDefault && entry.value() != null ? "=" + entry.value() : "none";
    }
}
