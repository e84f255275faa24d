package dev.postern.mcp;

import dev.postern.base.VisibleText;
import java.util.function.UnaryOperator;

/// Text of a server made fit for a message: redacted first, then shortened, then without anything that a
/// terminal would act on or a reader would not see. Untrusted all the same.
public final class PeerText {
    /// Enough for a sentence, too little to bury the rest of the message.
    private static final int MAX_CODE_POINTS = 200;

    /// A message is made of the first chars alone, and redacting takes time: of a longer text the rest is not
    /// looked at. Far more than is shown, since a secret becomes shorter when it is replaced.
    private static final int MAX_REDACTED = 65_536;

    private final UnaryOperator<String> redact;

    /// @param redact replaces every secret that the server was given
    public PeerText(UnaryOperator<String> redact) {
        this.redact = redact;
    }

    /// In double quotes.
    public String quote(String text) {
        var head = text.length() > MAX_REDACTED ? text.substring(0, MAX_REDACTED) : text;
        return '"' + VisibleText.line(redact.apply(head), MAX_CODE_POINTS) + '"';
    }
}
