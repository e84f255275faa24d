package dev.postern.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// URLs that requests go to.
final class Urls {
    private Urls() {}

    /// An absolute `http` or `https` URL with a host, without user information and fragment; null for all else.
    static @Nullable URI http(String written) {
        try {
            var url = new URI(written);
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            return (scheme.equals("http") || scheme.equals("https"))
                            && url.getHost() != null
                            && url.getRawUserInfo() == null
                            && url.getRawFragment() == null
                    ? url
                    : null;
        } catch (URISyntaxException e) {
            // Its message would quote the URL.
            return null;
        }
    }

    /// What is sent there stays on this machine.
    static boolean isLoopback(URI url) {
        String host = url.getHost().toLowerCase(Locale.ROOT);
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    }

    static URI withoutSlash(URI url) {
        String text = url.toString();
        int end = text.length();
        while (text.charAt(end - 1) == '/') {
            end--;
        }
        return URI.create(text.substring(0, end));
    }
}
