// Package group is the coordinator of consumer groups as a pure state machine:
// a [Machine] has the groups and offsets of one partition of
// __consumer_offsets. A step takes the time and an input (a request, a deadline,
// an assignment, a change of topics) and gives what is to be written and
// answered; see package step. What is durable changes only as records say, so
// that reading them again comes to the same groups.
//
//	grouplog  the records
//	offsets   what groups committed
//	classic   a group of the classic protocol
//	consumer  a group of KIP-848
package group
