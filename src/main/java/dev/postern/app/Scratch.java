package dev.postern.app;

import dev.postern.base.ProcessIdentity;
import dev.postern.cli.TemporaryDirectory;
import dev.postern.datadir.DataDirectory;
import dev.postern.natives.Directory;
import dev.postern.natives.FileStatus;
import dev.postern.natives.ProcessTable;
import dev.postern.natives.Users;
import dev.postern.process.RunLedger;
import dev.postern.process.Sweep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Data directories of demonstrations, in a place that may be everybody's. Each says in its file `owner` which
/// process made it, so that one whose owner is provably dead can be told from one that is in use; nothing is
/// ever taken for abandoned because of its age or a pid. One that says nothing stays, and so does whatever is
/// not a directory of ours alone: others may put links and files of any name into such a place.
final class Scratch {
    private static final String PREFIX = "postern-quickstart-";
    private static final String OWNER = "owner";

    /// Of the one line in it.
    private static final int LONGEST = 400;

    private static final int OTHERS = 0077;

    private final Path place;

    Scratch(Path place) {
        this.place = place;
    }

    Path make() throws IOException {
        var made = Files.createTempDirectory(place, PREFIX);
        try {
            Files.writeString(made.resolve(OWNER), ProcessTable.own().text() + "\n", StandardOpenOption.CREATE_NEW);
        } catch (IOException | RuntimeException e) {
            new TemporaryDirectory(made).delete();
            throw e;
        }
        return made;
    }

    /// Removes what killed processes left, with what still runs of their servers.
    void sweep() {
        var names = place.toFile().list((_, name) -> name.startsWith(PREFIX));
        if (names == null || names.length == 0) {
            return;
        }
        try (var directory = Directory.open(place)) {
            for (var name : names) {
                if (abandoned(directory, name) && ended(place.resolve(name))) {
                    new TemporaryDirectory(place.resolve(name)).delete();
                }
            }
        } catch (IOException e) {
            // The next one tries again.
        }
    }

    private static boolean abandoned(Directory place, String name) {
        try (var directory = place.openDirectory(name)) {
            if (!oursAlone(directory.status())) {
                return false;
            }
            try (var file = directory.openForReading(OWNER)) {
                var owner = owner(file);
                return owner != null && ProcessTable.life(owner) == ProcessTable.Life.DEAD;
            }
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable ProcessIdentity owner(Directory.OpenFile file) throws IOException {
        var status = file.status();
        boolean whole = status.kind() == FileStatus.Kind.REGULAR
                && status.owner() == Users.effectiveId()
                && status.links() == 1
                && status.size() <= LONGEST;
        return whole ? ProcessIdentity.parse(new String(file.read(LONGEST), StandardCharsets.UTF_8).strip()) : null;
    }

    private static boolean oursAlone(FileStatus status) {
        return status.owner() == Users.effectiveId() && (status.permissions() & OTHERS) == 0;
    }

    /// Whether no process is left of its servers. The ledger in the directory is what finds them.
    private static boolean ended(Path directory) {
        var ledger = new RunLedger(new DataPremises(new DataDirectory(directory, Users::effectiveId)));
        return new Sweep(ledger)
                .sweep().stream().allMatch(remains -> remains.left().isEmpty() && !remains.blind());
    }
}
