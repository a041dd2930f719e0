package remote_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote"
)

// envStart makes the child misbehave before it serves anything.
const envStart = "ODRADEK_TEST_START"

func serveTestModule() {
	switch os.Getenv(envStart) {
	case "exit":
		fmt.Fprintln(os.Stderr, "no licence for this module")
		os.Exit(3)
	case "chatter":
		fmt.Println("a banner that a library prints")
	case "silence":
		time.Sleep(time.Minute)
		os.Exit(0)
	case "family":
		startSleeper()
	case "future":
		remote.ServeVersion(remote.ProtocolVersion + 1)
	case "foreign":
		serveForeign()
	case "hostile":
		fd, err := syscall.Dup(4)
		if err != nil {
			panic(err)
		}
		hostileFrames = os.NewFile(uintptr(fd), "frames")
	}
	remote.Serve(testPartitioner(), testAssignor(), testCodec())
}

// sleeperFile is where, in TMPDIR, the process that a module has started is
// named.
const sleeperFile = "sleeper"

// startSleeper makes the module have a child of its own, which holds its output
// open.
func startSleeper() {
	sleeper := exec.Command("sleep", "600")
	sleeper.Stdout, sleeper.Stderr = os.Stdout, os.Stderr
	if err := sleeper.Start(); err != nil {
		panic(err)
	}
	path := filepath.Join(os.TempDir(), sleeperFile)
	if err := os.WriteFile(path, []byte(strconv.Itoa(sleeper.Process.Pid)), 0o600); err != nil {
		panic(err)
	}
}

// hostileFrames is the framed socket, for a module that writes to it itself.
var hostileFrames *os.File

// partitionerSettings covers every type of setting.
type partitionerSettings struct {
	Mode     string            `setting:"mode" doc:"how to misbehave"`
	Shift    int32             `setting:"shift" doc:"added to every partition"`
	Wait     time.Duration     `setting:"wait" doc:"how long slow answers take"`
	Share    float64           `setting:"share" doc:"not used"`
	On       bool              `setting:"on" doc:"not used"`
	Racks    []string          `setting:"racks" doc:"not used"`
	Weights  map[string]int64  `setting:"weights" doc:"not used"`
	Aliases  map[string]string `setting:"aliases" doc:"not used"`
	Maximum  uint64            `setting:"maximum" doc:"not used"`
	Required string            `setting:"required" doc:"one of any, none"`
}

func (s partitionerSettings) Validate() error {
	if s.Required != "any" && s.Required != "none" {
		return module.Invalidf("required is %q; it must be any or none", s.Required)
	}
	return nil
}

func testPartitioner() module.Factory {
	return partitioner.Module(
		module.Descriptor{Name: "length", Version: "1.2.3", Summary: "puts a key where its length says"},
		func() partitionerSettings { return partitionerSettings{Required: "any", Wait: time.Second} },
		func(env module.Env, s partitionerSettings) (partitioner.Partitioner, error) {
			return &byLength{env: env, settings: s}, nil
		})
}

var errNoPlace = module.NewError(module.Invalid, "length.no_place", "no partition is left")

// byLength puts a key of n bytes into partition n, and null into the last.
type byLength struct {
	env      module.Env
	settings partitionerSettings
}

func (p *byLength) Health(context.Context) error {
	if p.settings.Mode == "unwell" {
		return module.Retriablef("the table is not loaded")
	}
	return nil
}

func (p *byLength) Stop(context.Context) error {
	if p.settings.Mode == "stop error" {
		return module.Fatalf("the table cannot be closed")
	}
	return nil
}

func (p *byLength) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	if batch.Topic.Partitions == 0 {
		return nil, errNoPlace.With("topic %s", batch.Topic.Name)
	}
	if err := p.misbehave(ctx, batch.Topic.Name); err != nil {
		return nil, err
	}
	out := make([]int32, 0, batch.Keys.Len())
	for i, key := range batch.Keys.All() {
		n := int32(len(key)) + p.settings.Shift + int32(len(batch.Topic.Available)) + int32(batch.Topic.Epoch)
		if i < len(batch.Sizes) {
			n += batch.Sizes[i]
		}
		if key == nil {
			n = batch.Topic.Partitions - 1
		}
		out = append(out, n%batch.Topic.Partitions)
	}
	return out, nil
}

// misbehave does what the name of the topic asks for, so that one child can
// behave and misbehave by turns.
func (p *byLength) misbehave(ctx context.Context, topic string) error {
	switch topic {
	case "exit":
		os.Exit(7)
	case "last words":
		fmt.Fprintln(os.Stderr, "the table is gone")
		os.Exit(7)
	case "panic":
		panic("the table has no row 9")
	case "plain error":
		return errors.New("something broke")
	case "slow":
		time.Sleep(p.settings.Wait)
	case "until deadline":
		<-ctx.Done()
		return ctx.Err()
	case "log":
		p.env.Log.Warn("a line", "node", p.env.Node, "seed", p.env.Seed)
		p.env.Log.Named("table").Debug("a quiet line")
		fmt.Println("printed")
	case "hostile log":
		_, _ = os.Stderr.WriteString("\x1b[31mred\n")
		_, _ = os.Stderr.WriteString(`{"@level":"info","@message":5,"@module":[],"@timestamp":{}}` + "\n")
		_, _ = os.Stderr.WriteString("{\"@level\":\"error\",\"@message\":\"forged\\nline\"}\n")
	case "garbage":
		_, _ = hostileFrames.WriteString("HTTP/1.1 400 Bad Request\r\n\r\n")
	case "oversize":
		_, _ = hostileFrames.Write(binary.BigEndian.AppendUint32(nil, 0x7fffffff))
		_, _ = hostileFrames.Write(make([]byte, 20))
	case "hang up":
		_ = syscall.Shutdown(int(hostileFrames.Fd()), syscall.SHUT_RDWR)
	case "flood":
		flood(64 << 20)
	}
	return nil
}

func flood(n int) {
	line := bytes.Repeat([]byte("x"), 200)
	line[199] = '\n'
	for written := 0; written < n; written += len(line) {
		_, _ = os.Stderr.Write(line)
	}
	// One line without an end.
	for range 16 {
		_, _ = os.Stderr.Write(bytes.Repeat([]byte("y"), 1<<20))
	}
	_, _ = os.Stderr.WriteString("\n")
}

func testAssignor() module.Factory {
	return assignor.Module(module.Descriptor{Name: "first", Version: "0.1.0"},
		func() module.NoSettings { return module.NoSettings{} },
		func(module.Env, module.NoSettings) (assignor.Assignor, error) { return firstAssignor{}, nil })
}

// firstAssignor gives everything that somebody subscribes to to the first who
// does, and echoes what it was told in the user data.
type firstAssignor struct{}

func (firstAssignor) Assign(_ context.Context, s assignor.Snapshot) (assignor.Assignment, error) {
	if s.Group == "refused" {
		return assignor.Assignment{}, module.Retriablef("not now")
	}
	taken := map[string]bool{}
	var a assignor.Assignment
	for _, m := range s.Members {
		var out assignor.MemberAssignment
		for _, t := range s.Topics {
			if !taken[t.Name] && strings.Contains(strings.Join(m.Topics, " "), t.Name) {
				taken[t.Name] = true
				all := assignor.TopicPartitions{Topic: t.Name}
				for p := range t.Partitions {
					all.Partitions = append(all.Partitions, p)
				}
				out.Partitions = append(out.Partitions, all)
			}
		}
		out.UserData = fmt.Appendf(nil, "%s %s %d %q %t %v %v", m.InstanceID, m.Rack, m.Generation, m.UserData, m.UserData == nil, m.Owned, s.Topics)
		a.Members = append(a.Members, out)
	}
	return a, nil
}

type codecSettings struct {
	Extra int `setting:"extra" doc:"bytes added over the budget"`
}

func (codecSettings) Validate() error { return nil }

func testCodec() module.Factory {
	return codec.Module(module.Descriptor{Name: "count", Version: "0.1.0"},
		func() codecSettings { return codecSettings{} },
		func(_ module.Env, s codecSettings) (codec.Codec, error) { return countCodec{s}, nil })
}

// countCodec writes one byte and how often it stands there.
type countCodec struct{ settings codecSettings }

func (countCodec) Info() codec.Info {
	return codec.Info{Attribute: 5, MinLevel: -7, MaxLevel: 22, DefaultLevel: 3}
}

func (c countCodec) Compress(_ context.Context, dst, src []byte, level int) ([]byte, error) {
	if level != codec.LevelDefault && (level < -7 || level > 22) {
		return nil, codec.ErrLevel.With("%d", level)
	}
	for _, b := range src {
		if b != src[0] {
			return append(append(dst, 'v'), src...), nil
		}
	}
	if len(src) == 0 {
		return dst, nil
	}
	return fmt.Appendf(append(dst, 'r', src[0]), "%d", len(src)), nil
}

func (c countCodec) Decompress(_ context.Context, dst, src []byte, budget int) ([]byte, error) {
	switch {
	case len(src) == 0:
		return dst, nil
	case src[0] == 'v' && len(src)-1 > budget:
		return nil, codec.ErrOverBudget
	case src[0] == 'v':
		return append(dst, src[1:]...), nil
	case src[0] != 'r' || len(src) < 3:
		return nil, codec.ErrCorrupt.With("no r and no v")
	}
	n, err := strconv.Atoi(string(src[2:]))
	if err != nil {
		return nil, codec.ErrCorrupt.With("%v", err)
	}
	if n > budget {
		return nil, codec.ErrOverBudget
	}
	return append(dst, bytes.Repeat(src[1:2], n+c.settings.Extra)...), nil
}
