// Package scenario runs what the suites of compat consist of, one after
// another, and counts.
package scenario

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"time"
)

// Scenario is one thing that a user does. It may need what an earlier one of
// its suite left behind.
type Scenario struct {
	Name string
	Run  func(ctx context.Context) error
	// Within is how long it may take; 0 is [Timeout].
	Within time.Duration
}

// Timeout is how long one scenario may take, unless it says otherwise.
const Timeout = 2 * time.Minute

// Tally runs scenarios. Not safe for concurrent use.
type Tally struct {
	Out io.Writer
	// Only are the names of the scenarios to run.
	Only           *regexp.Regexp
	Passed, Failed int
}

// Run runs every scenario of a suite, whatever happens to the earlier ones.
func (t *Tally) Run(ctx context.Context, suite string, scenarios []Scenario) {
	for _, one := range scenarios {
		one.Name = suite + ": " + one.Name
		if t.Only.MatchString(one.Name) {
			t.run(ctx, one)
		}
	}
}

func (t *Tally) run(ctx context.Context, one Scenario) {
	within := Timeout
	if one.Within > 0 {
		within = one.Within
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	began := time.Now()
	err := one.Run(ctx)
	took := time.Since(began).Round(time.Millisecond)
	if err != nil {
		t.Failed++
		fmt.Fprintf(t.Out, "FAIL %s (%v): %v\n", one.Name, took, err)
		return
	}
	t.Passed++
	fmt.Fprintf(t.Out, "ok   %s (%v)\n", one.Name, took)
}
