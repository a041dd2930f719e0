package kgoadapter

import (
	"sync"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/module"
)

// failures logs the begin and the end of a row of failures, since a module that
// fails does so for every record. Safe for concurrent use.
type failures struct {
	log  hclog.Logger
	mu   sync.Mutex
	many int
}

// note takes the outcome of one call and returns it.
func (f *failures) note(err error, fallback string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err != nil:
		f.many++
		if f.many == 1 {
			said := []any{"fallback", fallback, "error", err}
			if stack := module.Stack(err); stack != nil {
				said = append(said, "stack", string(stack))
			}
			f.log.Warn("module failed; falling back until it answers again", said...)
		}
	case f.many > 0:
		f.log.Info("module answers again", "failures", f.many)
		f.many = 0
	}
	return err
}
