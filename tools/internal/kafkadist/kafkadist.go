// Package kafkadist is Apache Kafka 4.4.0 from Maven Central: its jars, a
// broker of it on empty data, and its command-line tools. It needs java (17 or
// later, a JDK for the tools) and mvn.
package kafkadist

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed pom.xml
var pom []byte

// Dist is a folder of Kafka's jars.
type Dist struct{ dir string }

// Fetch puts Kafka's jars into dir, unless they are there. What an interrupted
// fetch leaves is never taken for the whole.
func Fetch(ctx context.Context, dir string) (Dist, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Dist{}, err
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return Dist{dir: dir}, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return Dist{}, err
	}
	partial, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".partial-")
	if err != nil {
		return Dist{}, err
	}
	defer os.RemoveAll(partial)
	project := filepath.Join(partial, "pom.xml")
	if err := os.WriteFile(project, pom, 0o644); err != nil {
		return Dist{}, err
	}
	out, err := exec.CommandContext(ctx, "mvn", "-q", "-B", "-f", project, "dependency:copy-dependencies", "-DoutputDirectory="+partial).CombinedOutput()
	if err != nil {
		return Dist{}, fmt.Errorf("fetching Kafka with mvn (on Debian: apt-get install maven): %w\n%s", err, out)
	}
	return Dist{dir: dir}, os.Rename(partial, dir)
}

// Java is a command with all of Kafka on its class path. heap is what -Xmx
// gets.
func (d Dist) Java(ctx context.Context, heap string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "java", append([]string{"-Xmx" + heap, "-cp", filepath.Join(d.dir, "*")}, args...)...)
}
