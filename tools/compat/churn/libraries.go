package churn

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"odradek.dev/tools/compat/languages"
	"odradek.dev/tools/internal/kafkadist"
)

//go:embed ChurnMember.java
var javaMember []byte

//go:embed churn_member.py
var pythonMember []byte

// libraries makes the commands of members.
type libraries struct {
	kafka kafkadist.Dist
	// dir has the compiled members.
	dir    string
	python string
}

// prepareLibraries compiles the members, once for all that are started.
func prepareLibraries(ctx context.Context, kafka kafkadist.Dist, bin, dir string) (l libraries, err error) {
	l = libraries{kafka: kafka, dir: dir}
	if l.python, err = languages.Python(ctx, filepath.Join(bin, "python")); err != nil {
		return l, err
	}
	for name, source := range map[string][]byte{"ChurnMember.java": javaMember, "churn_member.py": pythonMember} {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			return l, err
		}
	}
	for _, compile := range []*exec.Cmd{
		exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, "gomember"), "odradek.dev/tools/compat/churn/gomember"),
		kafka.Javac(ctx, "-d", dir, filepath.Join(dir, "ChurnMember.java")),
	} {
		if out, err := compile.CombinedOutput(); err != nil {
			return l, fmt.Errorf("%s: %w\n%s", compile.Path, err, out)
		}
	}
	return l, nil
}

// command is a member of the group.
func (l libraries) command(ctx context.Context, library, addr string, g *group) *exec.Cmd {
	args := []string{addr, g.name, g.protocol, topic,
		strconv.FormatInt(sessionTimeout.Milliseconds(), 10), strconv.FormatInt(rebalanceTimeout.Milliseconds(), 10)}
	switch library {
	case "java":
		java := []string{"-Dorg.apache.logging.log4j.level=OFF", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "ChurnMember"}
		return l.kafka.JavaWith(ctx, l.dir, "96m", append(java, args...)...)
	case "librdkafka":
		return exec.CommandContext(ctx, l.python, append([]string{filepath.Join(l.dir, "churn_member.py")}, args...)...)
	}
	return exec.CommandContext(ctx, filepath.Join(l.dir, "gomember"), append([]string{library}, args...)...)
}
