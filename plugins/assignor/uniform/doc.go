// Package uniform is the assignor uniform of Kafka's broker (KIP-848): it
// balances a group and lets members keep what they have as far as balance
// allows.
//
// Where all members subscribe to the same topics, each has a quota, and what is
// above it goes to those below theirs. Where they do not, what nobody has goes,
// topic by topic, to the subscribers that have least; then each topic in turn
// is levelled between its subscribers, until all are level or sixteen rounds
// are over. Members and topics are taken in ascending order.
package uniform
