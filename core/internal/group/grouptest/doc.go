// Package grouptest has what the tests of groups share: a broker of a few
// topics, an assignor, and how transcripts are read and written.
package grouptest
