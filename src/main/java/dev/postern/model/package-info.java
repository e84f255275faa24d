/// Chat models behind one small interface: langchain4j's models of three providers, with a transport of ours below
/// them that is bounded, can be cancelled and sends nothing twice. Nothing of the library is loaded before a model is
/// asked.
///
/// What a malformed answer does: a stream that breaks off, or ends before it says that it ends, is `UNAVAILABLE`, and
/// calls in it are gone; an event that is no JSON object or doesn't fit its API, no stream of events at all, a
/// redirect, and an answer over a bound are `INVALID`; an error in the middle of a stream is told apart by its words.
/// Each ends the question and closes the connection. Arguments of calls are handed on unread.
@NullMarked
package dev.postern.model;

import org.jspecify.annotations.NullMarked;
