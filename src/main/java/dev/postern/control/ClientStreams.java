package dev.postern.control;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// The standard streams of a forwarded command, which are the client's. Reads and writes block only their own
/// caller, and end in an [IOException] when the client has gone; so do reads once it has cancelled. A flush
/// returns when what was written has left the client, or throws what it met.
public interface ClientStreams {
    InputStream in();

    OutputStream out();

    OutputStream err();

    /// A file that the command line names, opened by the client's process.
    ///
    /// @param file absolute
    ///
    /// @throws java.nio.file.NoSuchFileException when there is none
    InputStream open(String file) throws IOException;
}
