// Package supervise keeps a module process running: it starts it, notices when
// it ends or hangs, starts it again after a delay that grows, and puts it into
// quarantine when it keeps dying.
//
// The rest of the broker holds [Module.Instance], which stays the same while
// processes come and go. A call fails with a retriable error while there is no
// process, and when the process that it went to is not the current one any
// more. What to do then is the caller's choice: each kind declares its
// fallback. A codec has none, so its calls wait for the next process for as long
// as their deadlines allow, and fail at once only in quarantine.
//
// [Policy] and the silence of a process are the pure parts, and [Module] is the
// shell around them.
package supervise
