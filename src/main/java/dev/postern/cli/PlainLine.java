package dev.postern.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A command line of the plainest kind: a command's words and parameters, `--json`, `--data-dir`, and no
/// other word that begins with a dash. Most are; they are read here, in no time. All others, wrong ones among
/// them, are left to Picocli, which takes longer to load than such a command to run; a test holds the two to
/// the same answer.
///
/// @param parameters what follows the command's words
record PlainLine(
        CommandName name, List<String> parameters, @Nullable String dataDir) implements Line {
    /// Null when the words are of another kind.
    static @Nullable PlainLine of(List<String> words) {
        var plain = new ArrayList<String>();
        @Nullable String dataDir = null;
        boolean json = false;
        for (int at = 0; at < words.size(); at++) {
            var word = words.get(at);
            if (word.equals(Shapes.JSON) && !json) {
                json = true;
            } else if (word.equals(Shapes.DATA_DIR)
                    && dataDir == null
                    && at + 1 < words.size()
                    && !words.get(at + 1).startsWith("-")) {
                at++;
                dataDir = words.get(at);
            } else if (word.startsWith("-")) {
                return null;
            } else {
                plain.add(word);
            }
        }
        var name = CommandName.at(plain);
        if (name == null) {
            return null;
        }
        var parameters = List.copyOf(plain.subList(name.words(), plain.size()));
        return name.takes(parameters.size()) ? new PlainLine(name, parameters, dataDir) : null;
    }

    @Override
    public String value(int index) {
        return parameters.get(index);
    }

    @Override
    public List<String> rest(int index) {
        return parameters.subList(index, parameters.size());
    }

    @Override
    public boolean has(String flag) {
        return false;
    }

    @Override
    public @Nullable String option(String name) {
        return null;
    }

    @Override
    public List<String> options(String name) {
        return List.of();
    }
}
