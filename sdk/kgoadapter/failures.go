package kgoadapter

import (
	"sync"

	"github.com/hashicorp/go-hclog"
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
			f.log.Warn("module failed; falling back until it answers again", "fallback", fallback, "error", err)
		}
	case f.many > 0:
		f.log.Info("module answers again", "failures", f.many)
		f.many = 0
	}
	return err
}
