/// Runs of agents: a model that uses the allowed tools in a loop, under the policy, with every call accounted
/// for (RUN, APR).
///
/// What a model asks for is hostile input. A name that this run does not offer, arguments that are not JSON or
/// break the schema, more calls than are left: the call is refused with a reason that the model is told, and
/// with it every other call of the same answer, before anything of it is sent.
@NullMarked
package dev.postern.run;

import org.jspecify.annotations.NullMarked;
