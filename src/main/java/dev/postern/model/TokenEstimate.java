package dev.postern.model;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/// Estimates tokens before anybody counts them (RUN-3), with the encoding of OpenAI's newer models. Others differ, as
/// a rule by less than a fifth for English and by more for other languages and code. Loading the encoding takes some
/// tenths of a second, the first time. Safe for use by many threads.
public final class TokenEstimate {
    public static final TokenCount COUNT = new TokenCount(TokenEstimate::of);

    /// A longer text is estimated in pieces, so that none is slow.
    private static final int PIECE = 4_096;

    private TokenEstimate() {}

    public static long of(String text) {
        long tokens = 0;
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + PIECE);
            if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
                to--;
            }
            tokens += Loaded.ENCODING.countTokensOrdinary(text.substring(from, to));
            from = to;
        }
        return tokens;
    }

    private static final class Loaded {
        static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    }
}
