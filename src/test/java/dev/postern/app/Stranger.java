package dev.postern.app;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/// Says what a file holds to a socket, and writes to another what it got: `answered: ` and the answer, or
/// `unreachable`. Needs nothing but the JDK and this class, so that anybody can run it anywhere.
final class Stranger {
    private Stranger() {}

    public static void main(String... args) throws IOException {
        var answer = new StringBuilder();
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(args[0]));
            answer.append("answered: ");
            var request = ByteBuffer.wrap(Files.readAllBytes(Path.of(args[1])));
            while (request.hasRemaining()) {
                var _ = channel.write(request);
            }
            var buffer = ByteBuffer.allocate(65_536);
            while (channel.read(buffer) >= 0) {
                answer.append(new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8));
                buffer.clear();
            }
        } catch (IOException e) {
            if (answer.isEmpty()) {
                answer.append("unreachable");
            }
        }
        Files.writeString(Path.of(args[2]), answer);
    }

    /// A directory with this class alone, which everyone may read.
    static Path classes(Path directory) throws IOException {
        var file = directory.resolve("dev/postern/app/Stranger.class");
        Files.createDirectories(file.resolveSibling("."));
        try (InputStream from = Objects.requireNonNull(Stranger.class.getResourceAsStream("Stranger.class"))) {
            var _ = Files.copy(from, file);
        }
        for (var part : new String[] {"dev/postern/app/Stranger.class", "dev/postern/app", "dev/postern", "dev", "."}) {
            Files.setPosixFilePermissions(directory.resolve(part), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return directory;
    }
}
