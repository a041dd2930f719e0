// Package fetchsession remembers between two fetches what a reader asks for
// (KIP-227), so that a request names only what changed since the last, and an
// answer only the partitions that have something to tell.
//
// A session begins with a fetch that names all partitions, [Cache.Create],
// and goes on with fetches that carry its id and the next epoch,
// [Cache.Continue]; [Session.Finish] says what of it is answered. It ends with
// [Cache.Close], when it has no partition left, or when it is evicted.
//
// The package is pure: time and randomness come in as arguments. Everything may
// be used by many at a time; what a session has is changed and read within
// Continue, Create and Finish only.
package fetchsession
