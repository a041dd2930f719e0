package groups

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"odradek.dev/tools/internal/brokerproc"
)

const weightedYAML = `
# That it decides is not to hang on how busy the machine is.
assignor.call.timeout.ms: 60000
group.consumer.assignors: [uniform, range, weighted]
# Members hear of a new assignment sooner than they usually would.
group.consumer.min.heartbeat.interval.ms: 500
group.consumer.heartbeat.interval.ms: 500
modules:
  assignor:
    - use: uniform
    - use: range
    - use: weighted
      exec: %s
      measure: lag
`

// weightedConfig builds the assignor as an outsider would, and writes the
// configuration of a broker that runs it.
func weightedConfig(ctx context.Context, dir string) (path string, err error) {
	tools, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "odradek.dev/tools").Output()
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "assignor-weighted")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir = filepath.Join(strings.TrimSpace(string(tools)), "..", "examples", "assignor-weighted")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building examples/assignor-weighted: %w\n%s", err, out)
	}
	path = filepath.Join(dir, "weighted.yaml")
	return path, os.WriteFile(path, fmt.Appendf(nil, weightedYAML, program), 0o644)
}

// module is what `odradek plugin list` says of a module.
type module struct {
	Name, State                string
	PID                        int
	Restarts, Calls, Fallbacks int64
}

func weighted(ctx context.Context, b *brokerproc.Broker) (module, error) {
	out, err := exec.CommandContext(ctx, b.Binary, "plugin", "list", "--admin", b.Admin, "--kind", "assignor", "-o", "json").Output()
	if err != nil {
		return module{}, err
	}
	var answer struct{ Modules []module }
	if err := json.Unmarshal(out, &answer); err != nil {
		return module{}, err
	}
	for _, one := range answer.Modules {
		if one.Name == "weighted" {
			return one, nil
		}
	}
	return module{}, fmt.Errorf("plugin list has no weighted: %s", out)
}

// awaitWeighted waits until the module is as it should be.
func awaitWeighted(ctx context.Context, b *brokerproc.Broker, good func(module) bool) (module, error) {
	for {
		now, err := weighted(ctx, b)
		if err != nil || good(now) {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, fmt.Errorf("the assignor stays at %+v: %w", now, ctx.Err())
		case <-time.After(pace):
		}
	}
}
