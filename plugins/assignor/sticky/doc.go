// Package sticky is the assignor sticky of Kafka's Java client: it balances a
// group and lets members keep what they own as far as balance allows, and with
// racks as far as they are in the partition's rack. sdk/assignor/kafkasticky
// says how.
package sticky
