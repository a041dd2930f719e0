// Package sticky balances a group and moves no more than that takes.
//
// Balanced means that no chain of moves can lessen a difference of two or
// more: there are no members a and b such that a has at least two partitions
// more than b, and a could give one to a member that could give one to ...
// that could give one to b. No other assignment is more even, whatever the
// members subscribe to; where they all subscribe to the same topics their
// numbers differ by at most one.
//
// A member keeps what it owns as far as balance allows. If several members
// claim a partition, the one of the highest generation owns it; if that is
// several too, nobody does.
package sticky
