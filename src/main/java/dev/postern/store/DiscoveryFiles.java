package dev.postern.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One file `discovery-<server>.json` for each server in the directory `run/`, mode 0600, replaced as a whole.
/// A file that is damaged, too large or of another form counts as absent, and so does all that is in a `run/`
/// which must not be used.
public final class DiscoveryFiles implements DiscoveryStore {
    /// Room for the names of the most tools that a configuration may admit (2,048 of 128 characters).
    private static final long LARGEST = 512 * 1024;

    private static final Set<PosixFilePermission> OURS = PosixFilePermissions.fromString("rw-------");

    private final JsonFactory json = new JsonFactory();
    private final Supplier<@Nullable Path> existing;
    private final Supplier<@Nullable Path> made;

    /// @param existing `run/`, null where it is missing or must not be used
    /// @param made `run/`, made where it was missing, null where that can't be or it must not be used
    public DiscoveryFiles(Supplier<@Nullable Path> existing, Supplier<@Nullable Path> made) {
        this.existing = existing;
        this.made = made;
    }

    @Override
    public @Nullable DiscoveryRecord recall(String server, String entryDigest) {
        var directory = existing.get();
        if (directory == null) {
            return null;
        }
        try {
            var file = file(directory, server);
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > LARGEST) {
                return null;
            }
            var found = read(Files.readAllBytes(file));
            return found != null && found.entryDigest().equals(entryDigest) ? found : null;
        } catch (IOException | DateTimeException damagedOrGone) {
            return null;
        }
    }

    @Override
    public void remember(String server, DiscoveryRecord discovery) {
        var directory = made.get();
        if (directory == null) {
            return;
        }
        try {
            var fresh =
                    Files.createTempFile(directory, "discovery-", ".new", PosixFilePermissions.asFileAttribute(OURS));
            try {
                Files.write(fresh, written(discovery), StandardOpenOption.WRITE);
                Files.move(
                        fresh,
                        file(directory, server),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException notKept) {
            // The next start probes again.
        }
    }

    private static Path file(Path directory, String server) {
        return directory.resolve("discovery-" + server + ".json");
    }

    private byte[] written(DiscoveryRecord discovery) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var generator = json.createGenerator(out)) {
            generator.writeStartObject();
            generator.writeStringField("entry", discovery.entryDigest());
            generator.writeStringField("era", discovery.era());
            generator.writeStringField("protocol", discovery.protocol());
            generator.writeStringField("at", discovery.at().toString());
            generator.writeArrayFieldStart("tools");
            for (var tool : discovery.tools()) {
                generator.writeString(tool);
            }
            generator.writeEndArray();
            generator.writeEndObject();
        }
        return out.toByteArray();
    }

    private @Nullable DiscoveryRecord read(byte[] bytes) throws IOException {
        String entry = null;
        String era = null;
        String protocol = null;
        Instant at = null;
        List<String> tools = null;
        try (var parser = json.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "entry" -> entry = parser.getValueAsString();
                    case "era" -> era = parser.getValueAsString();
                    case "protocol" -> protocol = parser.getValueAsString();
                    case "at" -> at = Instant.parse(parser.getText());
                    case "tools" -> tools = names(parser);
                    default -> parser.skipChildren();
                }
            }
        }
        return entry == null || era == null || protocol == null || at == null || tools == null
                ? null
                : new DiscoveryRecord(entry, era, protocol, at, tools);
    }

    private static @Nullable List<String> names(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            return null;
        }
        var names = new ArrayList<String>();
        while (parser.nextToken() == JsonToken.VALUE_STRING) {
            names.add(parser.getText());
        }
        return parser.currentToken() == JsonToken.END_ARRAY ? names : null;
    }
}
