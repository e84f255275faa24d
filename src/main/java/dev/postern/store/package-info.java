/// What outlives a process: the records of runs and calls in one SQLite database, and the discoveries, one small
/// file a server.
///
/// The driver is used as it is, without a mapper or a migration library: a call needs two statements for its
/// intent and two for its outcome, and a command that makes one call would load such a library for nothing.
/// `PRAGMA user_version` counts the migrations, which are SQL files; before one changes a database that is in
/// use, a copy of it is kept.
///
/// What a damaged database does: bytes that are no database, an empty file, another program's database and one
/// of a newer Postern are told by the first hundred bytes, before SQLite opens the file, and nothing is written
/// to it. Damage further in is told when it is met. Either way the answer is a
/// [dev.postern.store.StoreException] that names the file and the next step, and no call is sent (STO-3).
@NullMarked
package dev.postern.store;

import org.jspecify.annotations.NullMarked;
