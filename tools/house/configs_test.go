package house

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/broker"

	"odradek.dev/tools/brokertest"
	"odradek.dev/tools/odradek/distribution"
)

func TestConfigsAreValid(t *testing.T) {
	configs := files(t, func(name string) bool { return path.Dir(name) == "configs" })
	require.NotEmpty(t, configs)
	for _, name := range configs {
		t.Run(path.Base(name), func(t *testing.T) {
			require.Equal(t, ".yaml", path.Ext(name), "configs has nothing but set-ups that run")
			config, err := broker.Load(broker.Sources{File: filepath.Join(root(t), name)})
			require.NoError(t, err)
			require.NoError(t, broker.Validate(config, distribution.Modules()...))
		})
	}
}

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```")

// TestExamplesStartABroker takes every yaml block of every page as the whole
// configuration of a broker.
func TestExamplesStartABroker(t *testing.T) {
	executables := exampleExecutables(t)
	for _, name := range files(t, isMarkdown) {
		for _, match := range yamlBlock.FindAllStringSubmatch(read(t, name), -1) {
			t.Run(strings.TrimSuffix(name, ".md"), func(t *testing.T) {
				t.Chdir(executables)
				running := brokertest.Start(t, broker.Sources{Text: []byte(match[1])}, distribution.Modules()...)
				requireEveryModuleRuns(t, running.Admin)
			})
		}
	}
}

func requireEveryModuleRuns(t *testing.T, admin string) {
	t.Helper()
	response, err := http.Get("http://" + admin + "/v1/modules")
	require.NoError(t, err)
	defer response.Body.Close()
	var answer struct {
		Modules []struct{ Kind, Name, State string }
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	require.NotEmpty(t, answer.Modules)
	for _, m := range answer.Modules {
		require.Equal(t, "running", m.State, "module %s/%s", m.Kind, m.Name)
	}
}

// exampleExecutables builds the modules of the examples into bin below the
// folder that it returns, which is where their pages say that they are.
func exampleExecutables(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	manifests, err := filepath.Glob(filepath.Join(root(t), "examples", "*", "go.mod"))
	require.NoError(t, err)
	for _, manifest := range manifests {
		source := filepath.Dir(manifest)
		build := exec.Command("go", "build", "-o", filepath.Join(folder, "bin", filepath.Base(source)), ".")
		build.Dir = source
		build.Env = append(os.Environ(), "GOWORK=off")
		output, err := build.CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
	return folder
}
