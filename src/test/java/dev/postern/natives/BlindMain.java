package dev.postern.natives;

import dev.postern.base.ProcessIdentity;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Asks the table when no descriptor is left, and says what it was told. To be started with few of them.
final class BlindMain {
    private BlindMain() {}

    /// Prints what it was told.
    ///
    /// @param arguments the text of a living process's identity
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        var living = Objects.requireNonNull(ProcessIdentity.parse(arguments[0]));
        var nobody = new ProcessIdentity(Integer.MAX_VALUE, 1, living.boot(), living.space());
        // All code that is needed is loaded before there is nothing left to load it with.
        boolean found = DirectSignals.finds(living.pid()) && ProcessTable.find(Integer.MAX_VALUE) == null;
        for (var part : List.of("Life", "Look$Runs", "Look$Gone", "Look$Untold")) {
            var _ = Class.forName(ProcessTable.class.getName() + "$" + part);
        }
        var told = new ArrayList<>(List.of("ready " + found));
        var taken = new ArrayList<FileInputStream>();
        takeAll(taken);
        ask(told);
        release(taken);
        told.add("" + ProcessTable.life(living));
        takeAll(taken);
        told.add("" + ProcessTable.life(living));
        told.add("" + ProcessTable.life(nobody));
        release(taken);
        told.forEach(System.out::println);
    }

    private static void ask(List<String> told) {
        try {
            told.add(ProcessTable.own().text());
        } catch (IllegalStateException untold) {
            told.add(String.valueOf(untold.getMessage()));
        }
    }

    private static void takeAll(List<FileInputStream> taken) {
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            // That is what was wanted.
        }
    }

    private static void release(List<FileInputStream> taken) throws IOException {
        for (var each : taken) {
            each.close();
        }
        taken.clear();
    }
}
