// Package segment is the storage engine that writes Apache Kafka's own files,
// byte for byte: Kafka's DumpLogSegments reads what it wrote.
//
// A mounted directory holds a folder for each partition, "<topic>-<number>",
// with the log in segments: <base offset>.log has the batches as they came,
// .index and .timeindex find them, .snapshot is producer state.
//
// # What it promises
//
// An append is one write and is readable when it returns. It is durable after
// Sync, which concurrent calls share. A disk that fails to write, sync, read or
// open takes its directory with it: nothing more is written to any log in it
// until it is mounted again. A full disk fails the append and leaves the log as
// it was; the log goes on by itself once there is room.
//
// Of the producer states those at the base of a segment are kept, and the
// newest one, as Kafka does.
//
// # What opening does after a crash
//
// After a clean stop nothing is read but the end of the active segment. After
// any other stop, the segments that reach the recovery point (the offset
// up to which the log is known to have been synced, noted at most a minute
// after the sync) are checked batch by batch, and their indexes made anew.
// What is not an intact batch is one of two things:
//
//   - A torn tail: bytes of writes that a crash kept from reaching the disk.
//     They are cut off, with all that follows. Bytes are taken for torn only
//     above the recovery point, and only if no intact batch follows them, or if
//     they read as a disk leaves what was never written: zeros, to the end of a
//     sector of 512 bytes, either from the end of the intact batches or from
//     the beginning of the sector; or a file that ends inside a batch.
//   - Damage: everything else. A wrong CRC that intact batches follow, or
//     anything below the recovery point, was whole once. It is kept, listed in
//     odradek.damage, and logged; reading it is storage.ErrCorrupt, and what
//     follows it is served. Nothing is ever cut off below the recovery point:
//     if the file ends there, the log goes on at the recovery point and the
//     offsets that are lost are damage, so that they are not given out again.
//
// The CRC of a batch does not cover its base offset. One that cannot be, by the
// batches and segments around it, is damage too.
//
// What was not checked is met later: a walk from batch to batch that comes to what
// is no batch goes on at the next intact one, and a sealed segment is looked at
// once before its age or its end is relied on. What is found broken then is damage
// as well, and a time index that does not fit is made anew.
//
// A killed process leaves its writes in the page cache, so that there is no
// torn tail beyond a write that it was in.
//
// # Rewriting segments
//
// The new segment is written and synced under names that end in .cleaned. Its
// .log file is then named .log.swap, which is when it counts: from there on,
// opening the log carries on with what a crash has ended, which is to rename the
// old files to .deleted and to give the new ones their names. Only what is below
// the recovery point on the disk is rewritten, since a gap between batches above
// it is what a lost write looks like.
//
// # Files of ours in a partition's folder
//
// odradek.hard-state is the replication strategy's durable value (CRC-32C,
// then the value); odradek.damage is there only if there is damage. Kafka
// passes over both.
package segment
