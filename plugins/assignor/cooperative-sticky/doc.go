// Package cooperativesticky is the assignor cooperative-sticky of Kafka's Java
// client: it decides as sticky does, and is for groups whose members go on
// consuming what they keep while the group balances (KIP-429).
//
// Its answer is where each partition is to be in the end. What moves is given
// to nobody until its owner has let go of it; whoever carries the answer out
// sees to that, the broker for groups of KIP-848 and a balancer with
// kgoadapter.Cooperative in a classic group. sdk/assignor/kafkasticky says how
// it decides.
package cooperativesticky
