package broker

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"odradek.dev/sdk/module"
)

// Lint says what is wrong with configuration files for a broker that can choose
// among modules. It starts nothing and does not look at the environment. Files
// that are right get a line each in out; the error has the lines of all others.
func Lint(out io.Writer, files []string, modules ...module.Factory) error {
	var wrong []error
	for _, file := range files {
		// What Load finds, Validate finds again and more.
		config, _ := Load(Sources{File: file})
		if err := Validate(config, modules...); err != nil {
			wrong = append(wrong, err)
			continue
		}
		if _, err := fmt.Fprintf(out, "%s: ok%s\n", file, inVain(config.WithoutEffect())); err != nil {
			return err
		}
	}
	return errors.Join(wrong...)
}

// inVain is what follows "ok" about names that are valid and change nothing.
func inVain(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; without effect yet: " + strings.Join(names, ", ")
}
