package house

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fence        = regexp.MustCompile("(?ms)^```.*?^```")
	heading      = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
	notInAnchor  = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
)

func isMarkdown(name string) bool { return path.Ext(name) == ".md" }

func TestLinksResolve(t *testing.T) {
	top := root(t)
	for _, name := range files(t, isMarkdown) {
		text := fence.ReplaceAllString(read(t, name), "")
		for _, match := range markdownLink.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			info, err := os.Stat(filepath.Join(top, filepath.FromSlash(file)))
			switch {
			case err != nil:
				t.Errorf("%s links to %s, which is not there", name, match[1])
			case anchor != "" && !info.IsDir() && !anchors(read(t, file))[anchor]:
				t.Errorf("%s links to %s, but %s has no such heading", name, match[1], file)
			}
		}
	}
}

// namedPath is a file or folder in backticks, from the root of the repository.
var namedPath = regexp.MustCompile("`((?:sdk|core|plugins|examples|configs|tools)/[A-Za-z0-9_./-]+)`")

func TestNamedFilesExist(t *testing.T) {
	top := root(t)
	for _, name := range files(t, isMarkdown) {
		for _, match := range namedPath.FindAllStringSubmatch(read(t, name), -1) {
			if _, err := os.Stat(filepath.Join(top, filepath.FromSlash(match[1]))); err != nil {
				t.Errorf("%s names %s, which is not there", name, match[1])
			}
		}
	}
}

// anchors are the fragments that a forge makes of the headings of a page.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		words := notInAnchor.ReplaceAllString(strings.ToLower(match[1]), "")
		found[strings.ReplaceAll(words, " ", "-")] = true
	}
	return found
}
