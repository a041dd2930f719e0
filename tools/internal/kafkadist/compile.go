package kafkadist

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
)

// Javac compiles against all of Kafka.
func (d Dist) Javac(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "javac", append([]string{"-cp", filepath.Join(d.dir, "*")}, args...)...)
}

// JavaWith is [Dist.Java] with the classes of a folder before Kafka's.
func (d Dist) JavaWith(ctx context.Context, classes, heap string, args ...string) *exec.Cmd {
	classPath := classes + string(os.PathListSeparator) + filepath.Join(d.dir, "*")
	return exec.CommandContext(ctx, "java", append([]string{"-Xmx" + heap, "-cp", classPath}, args...)...)
}
