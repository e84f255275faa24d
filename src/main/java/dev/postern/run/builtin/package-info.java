/// Tools of our own, which keep working when every server fails (RUN-5). They are tools of the server
/// `builtin`, go the way of every call, and are recorded like any other.
@NullMarked
package dev.postern.run.builtin;

import org.jspecify.annotations.NullMarked;
