/// The data directory: where it is, that it is ours alone, and the configuration file in it.
///
/// What is found, and what follows; each refusal says why and what to run:
///
/// - Nothing: fine, nothing is configured. Created with mode 0700 by who first needs it (DIR-2).
/// - A directory of ours that only we can write, or a link of ours or root's to one: fine.
/// - A directory of someone else, or one that group or others can write: `datadir.unsafe`.
/// - A file in its place or in the place of a parent, a dangling link, a loop of links, no permission to look:
///   `datadir.unusable`.
/// - No `config.json`: an empty configuration (CFG-1).
/// - `config.json` is a directory, FIFO, socket or device: `config.unreadable`, without opening it.
/// - `config.json` belongs to another user, root excepted, or others can reach and write it: `datadir.unsafe`,
///   since it says which programs run. In a directory that only we can enter, nobody else can reach it.
/// - `config.json` is a link, as dotfile managers make them: judged by the file it leads to, which may be
///   reachable in other ways; a dangling one is refused.
/// - `config.json` is over 1 MiB: `config.unreadable`.
@NullMarked
package dev.postern.datadir;

import org.jspecify.annotations.NullMarked;
