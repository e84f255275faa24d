package dev.postern.model;

import dev.postern.base.Deadline;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Where everything that happens to one request arrives, so that one thread can wait for all of it at once. The
/// transport hands over one piece of the body at a time and waits for [#more]: no more is held than that.
final class Mailbox {
    private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
    private volatile Flow.@Nullable Subscription subscription;

    /// One thing that happened.
    sealed interface Letter {
        record Head(int status, HttpHeaders headers) implements Letter {}

        record Bytes(List<ByteBuffer> buffers) implements Letter {}

        /// The body is whole, as far as the transport can tell.
        record End() implements Letter {}

        record Broken(Throwable cause) implements Letter {}

        record Cancelled() implements Letter {}

        record Expired() implements Letter {}
    }

    /// Sends a request whose answer arrives here.
    ///
    /// @return to be cancelled by whoever has lost interest
    CompletableFuture<?> send(HttpClient client, HttpRequest request) {
        return client.sendAsync(request, info -> {
                    letters.add(new Letter.Head(info.statusCode(), info.headers()));
                    return new Body();
                })
                .whenComplete((response, cause) -> {
                    if (cause != null) {
                        broken(cause);
                    }
                });
    }

    private void broken(Throwable cause) {
        letters.add(new Letter.Broken(cause));
    }

    void cancel() {
        letters.add(new Letter.Cancelled());
    }

    /// Waits for the next letter. An interrupt counts as a cancellation and stays set.
    Letter take(Deadline deadline) {
        try {
            var letter = letters.poll(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
            return letter == null ? new Letter.Expired() : letter;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Letter.Cancelled();
        }
    }

    /// Asks the transport for the next piece of the body.
    void more() {
        var known = subscription;
        if (known != null) {
            known.request(1);
        }
    }

    private final class Body implements BodySubscriber<Mailbox> {
        @Override
        public CompletionStage<Mailbox> getBody() {
            return CompletableFuture.completedFuture(Mailbox.this);
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(1);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            letters.add(new Letter.Bytes(buffers));
        }

        @Override
        public void onError(Throwable cause) {
            broken(cause);
        }

        @Override
        public void onComplete() {
            letters.add(new Letter.End());
        }
    }
}
