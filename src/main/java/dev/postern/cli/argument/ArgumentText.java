package dev.postern.cli.argument;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import dev.postern.call.CallRequest.ArgumentsSource;
import dev.postern.wire.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns what stands behind `call SERVER TOOL` into the arguments of the call (CLI-3). What is wrong whatever
/// the tool says is told before any server is started (CLI-5).
public final class ArgumentText {
    /// As much as any configuration may allow; more is not even read (LIM-3).
    private static final int MOST = Limit.ARGUMENT_BYTES.ceiling();

    private static final String HELP = "Give one JSON object such as '{\"path\":\"/tmp\"}', -i FILE, -i - for standard"
            + " input, or name=value pairs.";

    private ArgumentText() {}

    /// Reads what can be read before the tool's schema is known.
    ///
    /// @param words what follows the tool's name
    /// @param file the value of `-i`: a path, or `-` for `stdin`; null when absent
    /// @param files opens what `-i` names
    /// @return a source, or the usage error
    public static Answer<ArgumentsSource> read(
            List<String> words, @Nullable String file, InputStream stdin, Files files) {
        if (file != null) {
            return words.isEmpty()
                    ? fromFile(file, stdin, files)
                    : usage("The arguments are given twice: by -i and as '" + words.getFirst() + "'.", HELP);
        }
        if (words.isEmpty()) {
            return fixed(JsonNodeFactory.instance.objectNode());
        }
        for (var word : words) {
            if (looksLikeJson(word)) {
                return words.size() == 1
                        ? fromWord(word)
                        : usage(
                                "JSON and other arguments can't be mixed: '" + VisibleText.cut(word, 40) + "' is JSON.",
                                "Put everything into the one JSON object, or give every argument as name=value.");
            }
        }
        return pairs(words);
    }

    private static Answer<ArgumentsSource> pairs(List<String> words) {
        var pairs = new Pairs();
        for (var word : words) {
            int equals = word.indexOf('=');
            if (equals <= 0) {
                return usage("'" + VisibleText.cut(word, 40) + "' is neither a JSON object nor name=value.", HELP);
            }
            var name = word.substring(0, equals);
            if (!pairs.add(name, word.substring(equals + 1))) {
                return usage(
                        "The argument " + name + " is given twice.",
                        "Give each name once; a list is written as JSON, such as '" + name + "=[\"a\",\"b\"]'.");
            }
        }
        return new Answer.Here<>(pairs);
    }

    private static boolean looksLikeJson(String word) {
        var text = word.strip();
        if (text.isEmpty()) {
            return false;
        }
        char first = text.charAt(0);
        if (first == '{' || first == '[' || first == '"') {
            return true;
        }
        if (text.indexOf('=') >= 0) {
            return false;
        }
        return StrictJson.parse(text) instanceof StrictJson.Valid;
    }

    private static Answer<ArgumentsSource> fromWord(String word) {
        byte[] text = word.getBytes(StandardCharsets.UTF_8);
        return text.length > MOST
                ? new Answer.Here<>(schema -> new Answer.Not<>(tooLarge("the argument")))
                : fromJson(text, "the argument");
    }

    /// Where files come from: this process, or the one that a command was forwarded from.
    public interface Files {
        /// Opens a file by the name that its owner gave, against their working directory.
        ///
        /// @throws NoSuchFileException when there is none
        InputStream open(String file) throws IOException;
    }

    private static Answer<ArgumentsSource> unreadable(String what, String why) {
        return usage(
                "Reading " + what + " failed: " + why + ".",
                "Give the path of a readable file that holds a JSON object, or - for standard input.");
    }

    private static Answer<ArgumentsSource> fromFile(String file, InputStream stdin, Files files) {
        boolean standard = file.equals("-");
        var what = standard ? "standard input" : "the file " + file;
        byte[] bytes;
        try {
            bytes = standard ? stdin.readNBytes(MOST + 1) : bytesOf(file, files);
        } catch (NoSuchFileException e) {
            return usage("The file " + file + " does not exist.", "Give the path of a file that holds a JSON object.");
        } catch (IOException e) {
            return unreadable(what, IoReason.of(e));
        } catch (InvalidPathException e) {
            return unreadable(what, "it is not a path on this system");
        }
        if (bytes.length > MOST) {
            return new Answer.Here<>(schema -> new Answer.Not<>(tooLarge(what)));
        }
        return fromJson(bytes, what);
    }

    private static byte[] bytesOf(String file, Files files) throws IOException {
        try (var in = files.open(file)) {
            return in.readNBytes(MOST + 1);
        }
    }

    private static Answer<ArgumentsSource> fromJson(byte[] text, String what) {
        return switch (StrictJson.parse(text)) {
            case StrictJson.Valid valid when valid.value() instanceof ObjectNode object -> fixed(object);
            case StrictJson.Valid valid ->
                usage(
                        "The JSON in " + what + " is not an object, but a tool's arguments are one.",
                        "Write it as {\"name\": value, …}.");
            case StrictJson.Malformed malformed ->
                usage(
                        "The JSON in " + what + " does not parse: " + malformed.describe() + ".",
                        "Correct it; in a shell, put JSON in single quotation marks.");
        };
    }

    private static Problem tooLarge(String what) {
        return new Problem(
                ErrorCode.ARGUMENTS_LIMIT,
                "The arguments in " + what + " are more than " + MOST + " bytes, the most that "
                        + Limit.ARGUMENT_BYTES.key() + " can allow. Nothing was sent.",
                "Make them smaller; " + Limit.ARGUMENT_BYTES.key() + " is " + Limit.ARGUMENT_BYTES.standard()
                        + " unless config.json raises it.");
    }

    private static Answer<ArgumentsSource> fixed(ObjectNode arguments) {
        return new Answer.Here<>(schema -> new Answer.Here<>(arguments));
    }

    private static Answer<ArgumentsSource> usage(String message, String next) {
        return new Answer.Not<>(new Problem(ErrorCode.USAGE_ARGUMENTS, message, next));
    }
}
