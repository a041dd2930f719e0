// Package consumer is one consumer group of KIP-848: the broker decides who
// consumes what, and members are led there one heartbeat at a time. A change of
// members, subscriptions or topics raises the group epoch; for that epoch an
// assignor computes the target assignment; each member gives up what is not in
// its target before anybody else gets it, and stands at the target's epoch once
// it has. Members of the classic protocol can be in the group as well, and a
// group moves from one protocol to the other while it lives.
//
// What is durable changes by [Group.Apply] alone. Errors, timers and the order
// of records are those of Kafka 4.4.
package consumer
