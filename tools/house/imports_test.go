package house

import (
	"path"
	"slices"
	"strings"
	"testing"

	"odradek.dev/sdk/module"
)

const domain = "odradek.dev/"

// mayImport says, for each top-level folder, whose packages it may import
// besides its own.
var mayImport = map[string][]string{
	"sdk":      {},
	"core":     {"sdk"},
	"plugins":  {"sdk"},
	"examples": {"sdk", "core", "plugins"},
	"tools":    {"sdk", "core", "plugins"},
}

func TestImportDirections(t *testing.T) {
	for _, file := range sources(t) {
		top, _, _ := strings.Cut(file.folder, "/")
		for _, ours := range ourImports(file) {
			target, _, _ := strings.Cut(ours, "/")
			if target != top && !slices.Contains(mayImport[top], target) {
				t.Errorf("%s imports %s: %s may import only its own packages and those of %v", file.name, ours, top, mayImport[top])
			}
		}
	}
}

func TestModulesDoNotImportSiblings(t *testing.T) {
	for _, file := range sources(t) {
		own, isModule := moduleFolder(file.folder)
		for _, ours := range ourImports(file) {
			if other, ok := moduleFolder(ours); ok && isModule && other != own {
				t.Errorf("%s imports %s: a module does not import another; what both need goes into sdk", file.name, ours)
			}
		}
	}
}

// moduleFolder returns plugins/<kind>/<name> of a folder in it.
func moduleFolder(folder string) (string, bool) {
	parts := strings.Split(folder, "/")
	if parts[0] != "plugins" || len(parts) < 3 {
		return "", false
	}
	return path.Join(parts[:3]...), true
}

// speakOfSeveralKinds are the only packages of the sdk that import more than
// one kind.
var speakOfSeveralKinds = []string{"sdk/remote", "sdk/kgoadapter"}

func TestKindsDoNotImportEachOther(t *testing.T) {
	for _, file := range sources(t) {
		if !file.under("sdk") || slices.ContainsFunc(speakOfSeveralKinds, file.under) {
			continue
		}
		for _, ours := range ourImports(file) {
			kind, ok := kindFolder(ours)
			if ok && !file.under(kind) {
				t.Errorf("%s imports %s: only %v import a kind from outside it", file.name, ours, speakOfSeveralKinds)
			}
		}
	}
}

// kindFolder returns sdk/<kind> of a folder in it.
func kindFolder(folder string) (string, bool) {
	parts := strings.Split(folder, "/")
	if parts[0] != "sdk" || len(parts) < 2 || !module.Kind(parts[1]).Valid() {
		return "", false
	}
	return path.Join(parts[:2]...), true
}

// atHome names the one package that may import a library that shapes what it
// touches; the packages below it may not.
var atHome = []struct{ library, folder string }{
	{"go.uber.org/fx", "core/internal/wire"},
	{"go.uber.org/dig", "core/internal/wire"},
	{"github.com/knadh/koanf", "core/internal/wire/settings"},
	{"go.yaml.in/yaml", "core/internal/wire/settings"},
	{"github.com/hashicorp/go-plugin", "sdk/remote"},
}

func TestLibrariesStayAtHome(t *testing.T) {
	for _, file := range sources(t) {
		for _, rule := range atHome {
			for _, imported := range file.imports() {
				of := imported == rule.library || strings.HasPrefix(imported, rule.library+"/")
				if of && file.folder != rule.folder {
					t.Errorf("%s imports %s, which only %s may", file.name, imported, rule.folder)
				}
			}
		}
	}
}

// TestOutsidersUseTheSDKAlone holds the examples of third-party modules to
// what a third party has.
func TestOutsidersUseTheSDKAlone(t *testing.T) {
	manifests := files(t, func(name string) bool {
		return strings.HasPrefix(name, "examples/") && path.Base(name) == "go.mod" && name != "examples/go.mod"
	})
	for _, manifest := range manifests {
		for _, file := range sources(t) {
			if !file.under(path.Dir(manifest)) {
				continue
			}
			for _, ours := range ourImports(file) {
				if !strings.HasPrefix(ours, "sdk/") && !strings.HasPrefix(ours, path.Dir(manifest)) {
					t.Errorf("%s imports %s: a third party's module needs the sdk alone", file.name, ours)
				}
			}
		}
	}
}

// ourImports lists the imports that are ours, from the root.
func ourImports(file source) []string {
	var ours []string
	for _, imported := range file.imports() {
		if inside, ok := strings.CutPrefix(imported, domain); ok {
			ours = append(ours, inside)
		}
	}
	return ours
}
