package dev.postern.config;

import dev.postern.secret.SecretRef;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How a server is reached.
public sealed interface Launch {
    /// A child process (SRV-2).
    ///
    /// @param command a bare name, to be looked up on the child's `PATH`, or an absolute path
    /// @param cwd absolute, or null for the host's own working directory
    /// @param environment by variable name
    record Stdio(
            String command, List<String> args, @Nullable Path cwd, SortedMap<String, SecretRef> environment)
            implements Launch {
        public Stdio {
            args = List.copyOf(args);
            environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        }
    }

    /// A server over the network (SRV-3): understood, not supported yet.
    ///
    /// @param url absolute, `http` or `https`, without user information
    /// @param headers by header name as written
    /// @param oauth whether the entry has an `oauth` object; what is in it is not looked at yet
    record Remote(Type type, URI url, SortedMap<String, SecretRef> headers, boolean oauth) implements Launch {
        public Remote {
            headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
        }

        /// The two ways to speak MCP over HTTP.
        public enum Type {
            HTTP("http"),
            SSE("sse");

            private final String key;

            Type(String key) {
                this.key = key;
            }

            /// As `config.json` writes it.
            public String key() {
                return key;
            }
        }
    }
}
