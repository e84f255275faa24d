package dev.postern.run;

import dev.postern.secret.Redactor;
import java.util.function.Consumer;

/// Passes a stream of text on without secrets (SEC-5): a piece at a time, cut at blanks, so that a secret
/// without blanks is seen whole. One that has blanks may be missed here, and not in what is recorded. Confined
/// to one thread.
final class WordStream {
    /// A longer word is passed on in pieces, so that a stream without blanks still streams (LIM-3).
    private static final int LONGEST_WORD = 8_192;

    private final Redactor redactor;
    private final Consumer<String> out;
    private final StringBuilder word = new StringBuilder();

    WordStream(Redactor redactor, Consumer<String> out) {
        this.redactor = redactor;
        this.out = out;
    }

    void accept(String piece) {
        word.append(piece);
        int end = word.length();
        while (end > 0 && !Character.isWhitespace(word.charAt(end - 1))) {
            end--;
        }
        pass(end == 0 && word.length() > LONGEST_WORD ? word.length() : end);
    }

    /// The stream has ended: what is left is passed on.
    void end() {
        pass(word.length());
    }

    private void pass(int end) {
        if (end > 0) {
            out.accept(redactor.redact(word.substring(0, end)).text());
            word.delete(0, end);
        }
    }
}
