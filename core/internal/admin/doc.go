// Package admin is the broker's HTTP server for people, probes and tools: is it
// alive and ready, what it measured, what modules it has, and what one of them
// would decide.
//
//	GET  /healthz        the process and its modules are well
//	GET  /readyz         the broker takes clients
//	GET  /metrics        Prometheus
//	GET  /v1/modules     every module, its binding, its process, its calls
//	GET  /v1/config      every value and where it was written
//	GET  /v1/group?id=G  who decided what the members of a group have, and why
//	POST /v1/partition   where a partitioner puts keys
//	POST /v1/assign      what an assignor decides on a group
//
// There is no authentication: the listener is for the loopback interface or a
// network of trust.
package admin
