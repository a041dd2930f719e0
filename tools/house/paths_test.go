package house

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// machinePaths begin on the machine of whoever wrote a file. They are put
// together here so that this file has none.
var machinePaths = []string{"/" + "work/", "/" + "root/", "/" + "home/", "/" + "Users/"}

// TestNoMachinePaths passes over .git, which is a file with a path where the tree
// is one of several of a clone.
func TestNoMachinePaths(t *testing.T) {
	for _, name := range files(t, func(name string) bool { return name != ".git" }) {
		content := read(t, name)
		if !utf8.ValidString(content) || strings.HasSuffix(name, ".sum") {
			continue
		}
		for number, text := range strings.Split(content, "\n") {
			for _, path := range machinePaths {
				if strings.Contains(text, path) {
					t.Errorf("%s:%d has a path of somebody's machine, %s", name, number+1, path)
				}
			}
		}
	}
}
