package kcat

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

var words = strings.Fields(`castle village snow inn telegram clerk letter door lamp corridor stairs
	witness trial court judge painter bank officer cousin bobbin thread spool star crossbar laugh leaves rustle
	stairwell lobby attic house father worry outlive odradek émigré naïve Straße`)

// writeText makes a file that is the same on every machine, of lines that are
// all different, so that a lost or doubled one shows.
func writeText(folder string, lines int) (string, error) {
	name := filepath.Join(folder, "text.txt")
	file, err := os.Create(name)
	if err != nil {
		return "", err
	}
	random := rand.New(rand.NewPCG(1915, 1919))
	out := bufio.NewWriter(file)
	for number := range lines {
		fmt.Fprintf(out, "%07d", number)
		for range 4 + random.IntN(16) {
			out.WriteByte(' ')
			out.WriteString(words[random.IntN(len(words))])
		}
		out.WriteByte('\n')
	}
	return name, errors.Join(out.Flush(), file.Close())
}
