package groups

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"odradek.dev/tools/internal/kafkadist"
)

//go:embed GroupReader.java
var javaReader []byte

//go:embed group_reader.py
var pythonReader []byte

//go:embed group_reader.js
var nodeReader []byte

// programs are files with the consumers of other languages. Each takes the
// arguments ADDR GROUP PROTOCOL TOPIC ASSIGNOR MEMBERS COMMITS, prints a line NUMBER
// PARTITION OFFSET for each record, with the number of the member, and "failed
// TEXT" for a fault, and leaves the group when its input ends.
type programs struct{ dir string }

func writePrograms(dir string) (programs, error) {
	for name, source := range map[string][]byte{"GroupReader.java": javaReader, "group_reader.py": pythonReader, "group_reader.js": nodeReader} {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			return programs{}, err
		}
	}
	return programs{dir}, nil
}

func (p programs) java(ctx context.Context, kafka kafkadist.Dist) *exec.Cmd {
	return kafka.Java(ctx, "256m", "-Dorg.apache.logging.log4j.level=OFF", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", filepath.Join(p.dir, "GroupReader.java"))
}

func (p programs) python(ctx context.Context, python string) *exec.Cmd {
	return exec.CommandContext(ctx, python, filepath.Join(p.dir, "group_reader.py"))
}

func (p programs) node(ctx context.Context, modules []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "node", filepath.Join(p.dir, "group_reader.js"))
	cmd.Env = append(os.Environ(), modules...)
	return cmd
}

// startProgram runs a program, whose command is made anew each time.
func startProgram(command func() *exec.Cmd) start {
	return func(s seat) (func() error, error) {
		cmd := command()
		cmd.Args = append(cmd.Args, s.addr, s.group, s.protocol, s.topic, s.assignor, strconv.Itoa(s.members), strconv.FormatBool(!s.commitsNothing))
		input, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		return s.follow(cmd, input.Close)
	}
}

// follow runs a command whose lines are told to the ledger; leave asks it to end
// by quit. That it ends before is a fault.
func (s seat) follow(cmd *exec.Cmd, quit func() error) (leave func() error, err error) {
	var stderr strings.Builder
	cmd.Stderr = &stderr
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended, leaving := make(chan error, 1), make(chan struct{})
	go func() {
		err := errors.Join(each(output, s.told), cmd.Wait())
		if err != nil {
			err = fmt.Errorf("%s: %w: %s", cmd.Path, err, strings.TrimSpace(stderr.String()))
		}
		select {
		case <-leaving:
		default:
			s.ledger.failed(s.name, errors.Join(errors.New("it ended by itself"), err))
		}
		ended <- err
	}()
	return func() error {
		close(leaving)
		return errors.Join(quit(), <-ended)
	}, nil
}

// each reads on after a bad line, so that the program is not held up.
func each(output io.Reader, line func(string) error) error {
	var all []error
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if err := line(lines.Text()); err != nil {
			all = append(all, err)
		}
	}
	return errors.Join(append(all, lines.Err())...)
}

// told takes a line of a program.
func (s seat) told(line string) error {
	if text, found := strings.CutPrefix(line, "failed "); found {
		s.ledger.failed(s.name, errors.New(text))
		return nil
	}
	var (
		number    int
		partition int32
		offset    int64
	)
	if _, err := fmt.Sscanf(line, "%d %d %d", &number, &partition, &offset); err != nil {
		return fmt.Errorf("the line %q: %w", line, err)
	}
	s.ledger.consumed(s.member(number), partition, offset)
	return nil
}

// member is the name of one of the members.
func (s seat) member(number int) string { return fmt.Sprintf("%s-%d", s.name, number) }
