package house

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"

	"odradek.dev/tools/odradek/distribution"
)

// moduleFolders lists plugins/<kind>/<name>.
func moduleFolders(t *testing.T) []string {
	t.Helper()
	var folders []string
	top := filepath.Join(root(t), "plugins")
	matches, err := filepath.Glob(filepath.Join(top, "*", "*"))
	require.NoError(t, err)
	for _, match := range matches {
		relative, err := filepath.Rel(filepath.Dir(top), match)
		require.NoError(t, err)
		folders = append(folders, filepath.ToSlash(relative))
	}
	require.NotEmpty(t, folders)
	return folders
}

// goName is a module's name as a file or a package has it.
func goName(folder string) string { return strings.ReplaceAll(path.Base(folder), "-", "") }

func TestModuleFoldersHaveOneShape(t *testing.T) {
	for _, folder := range moduleFolders(t) {
		name := goName(folder)
		wanted := []string{"doc.go", "config.go", "factory.go", name + ".go", "README.md", name + "_conformance_test.go"}
		for _, file := range wanted {
			if _, err := os.Stat(filepath.Join(root(t), folder, file)); err != nil {
				t.Errorf("%s has no %s: a module's folder has %v", folder, file, wanted)
			}
		}
		if kind := path.Base(path.Dir(folder)); !module.Kind(kind).Valid() {
			t.Errorf("%s: %q is not a kind; the kinds are %v", folder, kind, module.Kinds())
		}
	}
}

var section = regexp.MustCompile(`(?m)^## +(.+?) *$`)

var moduleSections = []string{"Settings", "Configuration", "Promises"}

func TestModuleReadmesHaveOneShape(t *testing.T) {
	for _, folder := range moduleFolders(t) {
		t.Run(folder, func(t *testing.T) {
			text := read(t, path.Join(folder, "README.md"))
			var found []string
			for _, match := range section.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
				found = append(found, match[1])
			}
			title := "# " + strings.TrimPrefix(folder, "plugins/") + "\n"
			require.True(t, strings.HasPrefix(text, title), "the first line must be %q", title)
			require.True(t, isSubsequence(moduleSections, found), "the sections are %q; %q must be among them in this order", found, moduleSections)
			require.Contains(t, text, "```yaml\n", "no configuration example in a yaml block")
		})
	}
}

func isSubsequence(wanted, found []string) bool {
	for _, name := range found {
		if len(wanted) > 0 && name == wanted[0] {
			wanted = wanted[1:]
		}
	}
	return len(wanted) == 0
}

func TestDistributionHasEveryModule(t *testing.T) {
	var listed []string
	for _, factory := range distribution.Modules() {
		descriptor := factory.Descriptor()
		require.NoError(t, descriptor.Validate())
		require.NotEmpty(t, descriptor.Summary, "%s has no summary", descriptor.ID())
		listed = append(listed, "plugins/"+descriptor.ID())
	}
	slices.Sort(listed)
	require.Equal(t, moduleFolders(t), listed)
}

// TestReadmesNameEverySetting: the table of a README can not forget one.
func TestReadmesNameEverySetting(t *testing.T) {
	for _, factory := range distribution.Modules() {
		id := factory.Descriptor().ID()
		t.Run(id, func(t *testing.T) {
			text := read(t, path.Join("plugins", id, "README.md"))
			for _, field := range factory.Fields() {
				require.NotEmpty(t, field.Doc, "setting %s has no doc tag", field.Name)
				require.Contains(t, text, "`"+field.Name+"`", "the README does not name a setting")
			}
		})
	}
}
