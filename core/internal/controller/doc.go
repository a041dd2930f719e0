// Package controller is the shell around the metadata: it follows the log of
// the election module, applies each record to an image, and, while this broker
// leads, turns requests into records under the epoch of its leadership.
//
// One goroutine follows. A change takes a turn: it is planned against an image
// in which every earlier change is applied, appended, and answered once the
// follower has applied it here and every subscriber has seen it. So what a
// client was told is there is there on this broker.
package controller
