// Package kafka speaks the Kafka protocol with clients.
//
// A request goes listener.go -> connection.go -> frame.go -> table.go -> the
// handler in the file of its API key, NN_name.go, which also has the key's row
// of the table (api.go). Its answer goes back through responses.go and
// outbound.go. Produce and Fetch, which carry nearly all bytes, are decoded by
// hand in the buffer that they arrived in; all other requests are checked
// against their shape (package shape) and then decoded by kmsg.
//
// One goroutine a connection reads requests, executes them in order and writes
// answers. An answer that has to wait (a produce for its replicas, a fetch for
// data) keeps its place in the connection's queue, and the next request is
// executed meanwhile. A goroutine that writes such answers exists only while
// there is one to write.
package kafka
