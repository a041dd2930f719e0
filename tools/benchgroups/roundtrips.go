package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/tools/benchgroups/internal/loop"
)

// answerer is a process that answers every request at once and knows nothing.
// What members take with it is what their round trips take in this process and
// in the system, whatever the broker.
type answerer struct {
	cmd  *exec.Cmd
	addr string
	loop *loop.Loop
	// connections are kept for the next time.
	connections []*connection
}

// answererFlag has this program be the answerer.
const answererFlag = "answer-at-once"

func startAnswerer(ctx context.Context) (*answerer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	l, err := loop.New()
	if err != nil {
		return nil, err
	}
	a := &answerer{cmd: exec.CommandContext(ctx, self, "-"+answererFlag), loop: l}
	a.cmd.Stderr = os.Stderr
	// It ends when its input does.
	if _, err = a.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := a.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	a.addr = strings.TrimSpace(line)
	return a, err
}

func (a *answerer) stop() {
	_ = a.cmd.Process.Kill()
	_ = a.cmd.Wait()
}

// answerAtOnce is the answerer. It returns when its input ends.
func answerAtOnce() error {
	runtime.GOMAXPROCS(runtime.NumCPU())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go answerAll(l)
	fmt.Println(l.Addr())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func answerAll(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go answerEach(conn)
	}
}

// answerEach gives each request on a connection the same few bytes, behind its
// correlation id.
func answerEach(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	answer := make([]byte, 24)
	binary.BigEndian.PutUint32(answer, uint32(len(answer)-4))
	for {
		head, err := in.Peek(12)
		if err != nil {
			return
		}
		copy(answer[4:8], head[8:12]) // behind length, key and version
		if _, err := in.Discard(4 + int(binary.BigEndian.Uint32(head))); err != nil {
			return
		}
		if _, err := conn.Write(answer); err != nil {
			return
		}
	}
}

// take has members make so many round trips each, one after the other and all
// members at a time, and is how many milliseconds that takes.
func (a *answerer) take(ctx context.Context, members, roundTrips int) (float64, error) {
	for len(a.connections) < members {
		c, err := dial(a.loop, a.addr)
		if err != nil {
			return 0, err
		}
		a.connections = append(a.connections, c)
	}
	return untimed.typicalOf(ctx, changes, func(ctx context.Context) (float64, error) {
		return a.goAndBack(ctx, a.connections[:members], roundTrips)
	})
}

func (a *answerer) goAndBack(ctx context.Context, connections []*connection, roundTrips int) (float64, error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	left := len(connections)
	began := time.Now()
	for _, c := range connections {
		a.loop.Go(func() {
			if err := c.goAndBack(roundTrips); err != nil {
				fail(err)
			}
			left--
		})
	}
	err := a.loop.Run(ctx, func() bool { return left == 0 })
	return inMilliseconds(time.Since(began)), err
}

func (c *connection) goAndBack(times int) error {
	q := kmsg.NewPtrHeartbeatRequest()
	q.Version, q.Group, q.MemberID = 4, "group", "member"
	for range times {
		if err := c.send(q); err != nil {
			return err
		}
		if _, err := c.next(); err != nil {
			return err
		}
	}
	return nil
}
