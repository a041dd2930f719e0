package spawn

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"odradek.dev/sdk/module"
)

// The descriptors that a child inherits after its standard ones.
const (
	lifelineFD = 3 + iota
	framesFD
)

// outputGrace is how long somebody waits for more output of a child that has
// exited: a grandchild may hold it open for ever. Otherwise it ends with the
// child.
const outputGrace = time.Second

// Config says what to start.
type Config struct {
	Path   string
	Args   []string
	SHA256 string
	// Env is added to the few variables that a child inherits.
	Env []string
	// Frames offers a socket for framed calls.
	Frames bool
	// SocketDir is the folder that the child removes when its host is gone.
	SocketDir string
}

// Child is one process. It lives until it exits by itself or is killed, and
// should exit by itself once the lifeline is cut.
type Child struct {
	Stdout, Stderr *Output
	// Frames is the host's end of the socket for framed calls, nil if there is
	// none. It belongs to the caller.
	Frames *net.UnixConn

	cmd      *exec.Cmd
	lifeline *os.File
	cut      sync.Once
	// inherited is the child's ends, which the host closes once it has
	// started.
	inherited []*os.File

	exited chan struct{}
	// exit is set before exited is closed.
	exit error
}

// Prepare checks the program and opens what the child will inherit. [Child.Start]
// or [Child.Discard] must follow.
func Prepare(cfg Config) (*Child, error) {
	program, err := open(cfg.Path, cfg.SHA256)
	if err != nil {
		return nil, err
	}
	c := &Child{exited: make(chan struct{})}
	if err := c.connect(cfg, program); err != nil {
		program.close()
		c.Discard()
		return nil, module.Retriablef("no pipes for the module process %s: %w", cfg.Path, err)
	}
	return c, nil
}

func (c *Child) connect(cfg Config, program executable) error {
	c.cmd = &exec.Cmd{
		Path: program.path, Args: append([]string{program.path}, cfg.Args...),
		Env: append(inheritedEnvironment(), cfg.Env...), SysProcAttr: attributes(),
	}
	stdout, err := c.pipe(&c.Stdout)
	if err != nil {
		return err
	}
	stderr, err := c.pipe(&c.Stderr)
	if err != nil {
		return err
	}
	lifeline, err := c.openLifeline()
	if err != nil {
		return err
	}
	c.cmd.Stdout, c.cmd.Stderr, c.cmd.ExtraFiles = stdout, stderr, []*os.File{lifeline}
	c.setenv(EnvLifeline, strconv.Itoa(lifelineFD))
	c.setenv(EnvSocketDir, cfg.SocketDir)
	if cfg.Frames {
		frames, err := c.openFrames()
		if err != nil {
			return err
		}
		c.cmd.ExtraFiles = append(c.cmd.ExtraFiles, frames)
		c.setenv(EnvFrames, strconv.Itoa(framesFD))
	}
	if program.verified != nil {
		c.inherited = append(c.inherited, program.verified)
		c.cmd.ExtraFiles = append(c.cmd.ExtraFiles, program.verified)
		c.cmd.Path = verifiedPath(lifelineFD+len(c.cmd.ExtraFiles)-1, program.path)
	}
	return nil
}

func (c *Child) setenv(name, value string) { c.cmd.Env = append(c.cmd.Env, name+"="+value) }

// pipe opens a pipe of which the host reads one end.
func (c *Child) pipe(host **Output) (child *os.File, err error) {
	read, child, err := os.Pipe()
	if err == nil {
		*host = newOutput(read)
		c.inherited = append(c.inherited, child)
	}
	return child, err
}

func (c *Child) openLifeline() (child *os.File, err error) {
	child, c.lifeline, err = os.Pipe()
	if err == nil {
		c.inherited = append(c.inherited, child)
	}
	return child, err
}

func (c *Child) openFrames() (child *os.File, err error) {
	syscall.ForkLock.RLock()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(pair[0])
		syscall.CloseOnExec(pair[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, err
	}
	child = os.NewFile(uintptr(pair[1]), "frames of the child")
	c.inherited = append(c.inherited, child)
	host := os.NewFile(uintptr(pair[0]), "frames")
	defer host.Close() // FileConn has its own copy
	conn, err := net.FileConn(host)
	if err != nil {
		return nil, err
	}
	c.Frames = conn.(*net.UnixConn)
	return child, nil
}

// Start starts the process, with env in addition to what it already has.
func (c *Child) Start(env []string) error {
	c.cmd.Env = append(c.cmd.Env, env...)
	started := make(chan error)
	go c.run(started)
	err := <-started
	c.closeInherited()
	if err != nil {
		c.Discard()
		return startFailure(c.cmd.Args[0], err)
	}
	return nil
}

// startFailure says what the kernel's error means for a file that is there and
// may be executed.
func startFailure(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return module.Invalidf("module program %s cannot be started: the interpreter that it names is not there", path)
	case errors.Is(err, syscall.ENOEXEC):
		return module.Invalidf("module program %s cannot be started: it is neither a program for this system nor a script that begins with #!", path)
	}
	return module.Fatalf("module program %s cannot be started: %w", path, err)
}

// run starts the process and waits for it, all on one thread that lives as
// long as the process does: the kernel's death signal is tied to the thread.
func (c *Child) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := c.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	c.exit = c.cmd.Wait()
	c.killGroup()
	end := time.Now().Add(outputGrace)
	c.exit = errors.Join(c.exit, c.Stdout.endBy(end), c.Stderr.endBy(end))
	c.CutLifeline()
	close(c.exited)
}

// Discard closes what Prepare has opened of a child that is not to start.
func (c *Child) Discard() {
	c.closeInherited()
	for _, output := range []*Output{c.Stdout, c.Stderr} {
		if output != nil {
			_ = output.Close() // nothing was read from it
		}
	}
	if c.Frames != nil {
		_ = c.Frames.Close() // nothing was sent over it
	}
	c.CutLifeline()
}

func (c *Child) closeInherited() {
	for _, file := range c.inherited {
		_ = file.Close() // the child has its own copy
	}
	c.inherited = nil
}

// PID is the process id of a child that has started.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Exited is closed when the process has ended and was waited for.
func (c *Child) Exited() <-chan struct{} { return c.exited }

// Exit says how the process has ended. Call it after [Child.Exited] is closed.
func (c *Child) Exit() string {
	state := c.cmd.ProcessState
	if state == nil {
		return fmt.Sprintf("was lost: %v", c.exit)
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("was ended by signal %d (%v)", int(status.Signal()), status.Signal())
	}
	return fmt.Sprintf("exited with status %d", state.ExitCode())
}

// WasKilled reports that SIGKILL has ended the process, whoever sent it. Call it
// after [Child.Exited] is closed.
func (c *Child) WasKilled() bool {
	if c.cmd.ProcessState == nil {
		return false
	}
	status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// CutLifeline tells the child that nobody needs it any more.
func (c *Child) CutLifeline() {
	c.cut.Do(func() {
		if c.lifeline != nil {
			_ = c.lifeline.Close() // nothing was ever written to it
		}
	})
}

// Kill ends the process, and what it has started itself, at once.
func (c *Child) Kill() {
	select {
	case <-c.exited:
	default:
		c.killGroup()
		_ = c.cmd.Process.Kill() // it may have left its group
	}
}

// killGroup ends the process and what it has started itself. The group keeps
// its number for as long as anybody is in it.
func (c *Child) killGroup() {
	_ = syscall.Kill(-c.PID(), syscall.SIGKILL) // it fails only if nobody is left
}
