package dev.postern.process;

import dev.postern.base.Threads;
import dev.postern.base.Written;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Ends the process groups of servers when this host is killed, where neither a namespace nor a parent-death signal
/// does (PRC-4): a small process that reads a pipe which nobody but the host holds. `+ID` and `-ID`, a line each,
/// put a group on its list and take it off; the end of the pipe has it send SIGKILL to every group that is listed,
/// and end. Started for the first such server, ended after the last. Safe for use by many threads.
///
/// A group is taken off as soon as its leader was seen to end: the JDK has waited for it by then, so that the number
/// is free once no member is left. What the leader leaves in its group has no guardian any more, but a host that is
/// ending it.
///
/// It is a program in Perl, which systems without util-linux have: there is no shell in it, and no text but ours. One
/// that was killed is replaced for the next server; one that takes no message is killed, and done without.
final class Guardian {
    /// Lines that are not whole, and numbers that are no group's (`kill -1` would mean everybody), have no effect; nor
    /// has a fault of reading. A group that is not found is looked for again for half a second: its leader may not
    /// have made it yet.
    static final String PROGRAM = """
            use POSIX ();
            POSIX::setsid();
            $SIG{$_} = "IGNORE" for qw(INT TERM HUP PIPE);
            my (%groups, $text, $count);
            syswrite(STDOUT, "\\n");
            close(STDOUT);
            while ($count = sysread(STDIN, $text, 4096, length($text // ""))) {
                while ($text =~ s/\\A([^\\n]*)\\n//) {
                    my $line = $1;
                    $groups{$1} = 1 if $line =~ /\\A\\+([1-9][0-9]+)\\z/;
                    delete $groups{$1} if $line =~ /\\A-([1-9][0-9]+)\\z/;
                }
            }
            exit 1 unless defined $count;
            for (1 .. 50) {
                for my $group (keys %groups) {
                    delete $groups{$group} if kill("KILL", -$group);
                }
                last unless %groups;
                select(undef, undef, undef, 0.01);
            }
            """;

    /// For its start, and for the pipe to take a message: both take some milliseconds.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Toolbox tools;
    private final Set<Long> groups = new HashSet<>();
    private int wards;
    private @Nullable Post post;

    Guardian(Toolbox tools) {
        this.tools = tools;
    }

    /// Whether there is a program to be one, as far as files tell.
    boolean available() {
        return tools.perl() != null;
    }

    /// To be called before a server is started, so that the guardian is there by then. Takes its [#PATIENCE] at most.
    synchronized Ward ward() {
        if (post == null || !post.lives()) {
            String perl = tools.perl();
            post = perl == null ? null : Post.taken(perl);
            if (post != null) {
                for (long group : groups) {
                    post.tell("+" + group);
                }
            }
        }
        wards++;
        return new Ward();
    }

    /// One server that is, or will be, guarded; to be closed when it has ended.
    final class Ward {
        private long group;
        private boolean closed;

        private Ward() {}

        /// The server's first process runs: its number is that of its group.
        void over(long leader) {
            synchronized (Guardian.this) {
                if (!closed && group == 0) {
                    group = leader;
                    groups.add(leader);
                    if (post != null) {
                        post.tell("+" + leader);
                    }
                }
            }
        }

        /// Whether a guardian that lives was told of it.
        boolean guarded() {
            synchronized (Guardian.this) {
                return !closed && group != 0 && post != null && post.lives();
            }
        }

        /// The leader of the group has ended, or never began. Has an effect once.
        void close() {
            synchronized (Guardian.this) {
                if (closed) {
                    return;
                }
                closed = true;
                wards--;
                if (groups.remove(group) && post != null) {
                    post.tell("-" + group);
                }
                if (post != null && wards == 0) {
                    post.leave();
                    post = null;
                }
            }
        }
    }

    /// One process of that program. Its thread ends with it; the rest is confined to whoever holds the lock.
    private static final class Post {
        private final Process process;
        private final PipeWriter writer;
        private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

        private boolean dismissed;

        private Post(Process process) {
            this.process = process;
            this.writer = new PipeWriter(process.getOutputStream(), PATIENCE);
        }

        /// Null when it can't be started, or doesn't say in time that it reads.
        static @Nullable Post taken(String perl) {
            var builder = new ProcessBuilder(perl, "-e", PROGRAM)
                    .directory(new File("/"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            Post post;
            try {
                post = new Post(Orphans.OF_THIS_PROCESS.start(builder));
            } catch (IOException e) {
                return null;
            }
            // Else its thread would wait for messages to nobody.
            var _ = post.process.onExit().thenRun(post.writer::abandon);
            try {
                Threads.platform("postern-guardian", post::serve);
            } catch (Throwable noThread) {
                post.process.destroyForcibly();
                return null;
            }
            return post.within(post.ready) ? post : null;
        }

        boolean lives() {
            return !dismissed && process.isAlive();
        }

        void tell(String message) {
            if (!lives()) {
                return;
            }
            var _ = within(writer.write((message + "\n").getBytes(StandardCharsets.US_ASCII))
                    .thenApply(written -> written == Written.WHOLE));
        }

        /// Nobody is left to be guarded.
        void leave() {
            writer.finish();
        }

        /// Whether it did so in time. One that did not is killed: it would guard nobody, or by an old list.
        private boolean within(CompletableFuture<Boolean> done) {
            boolean interrupted = false;
            try {
                if (done.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                    return true;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException e) {
                // Stuck.
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            dismissed = true;
            process.destroyForcibly();
            return false;
        }

        private void serve() {
            try {
                ready.complete(process.getInputStream().read() >= 0);
            } catch (IOException e) {
                ready.complete(false);
            }
            var _ = writer.run();
            try {
                if (!process.waitFor(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
            }
        }
    }
}
