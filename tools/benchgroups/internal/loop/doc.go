// Package loop runs many clients in one thread. Each is a task: code in
// sequence, a coroutine, that waits for its connection or for a time, and the
// loop goes on with those whose wait is over. A round trip costs a read, a write
// and a part of an epoll_wait(2), with no scheduler between, so that clients take
// little of the machine on which a server is measured.
//
// Nothing in it is safe for concurrent use: tasks run while the owner of a loop
// is in Run or Stop, one at a time, and on that goroutine. It needs Linux 5.11.
package loop
