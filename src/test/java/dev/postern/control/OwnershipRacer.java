package dev.postern.control;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Takes the directory named by its argument whenever it reads a line, says `ours` or `not`, and gives it back
/// with the next line.
final class OwnershipRacer {
    private OwnershipRacer() {}

    public static void main(String... args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        while (in.readLine() != null) {
            switch (Ownership.take(Path.of(args[0]))) {
                case Ownership.Taken.Ours ours -> {
                    System.out.println("ours");
                    var _ = in.readLine();
                    ours.ownership().close();
                }
                case Ownership.Taken.Not not -> {
                    System.out.println("not: " + not.problem().message());
                    var _ = in.readLine();
                }
            }
            System.out.println("done");
        }
    }
}
