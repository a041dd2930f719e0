// Package differential sends the same requests to Odradek and to Apache Kafka
// 4.4.0, thousands of them, drawn from a seed: valid ones, such as are at the
// edges, and such as no client sends; every key that is served, in every
// version, on several connections. The answers are compared field by field.
// What may differ stands in differences.txt, with the reason.
package differential

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/tools/compat/pair"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/kafkadist"
)

// Usual are the options of the usual runs. In the first every line of
// differences.txt is needed.
func Usual() []Options {
	return []Options{
		{Seed: 1, Requests: UsualRequests, Within: usualTime},
		{Seed: 2, Requests: UsualRequests, Within: usualTime},
	}
}

// UsualRequests are asked in some seconds. usualTime is for a machine that has
// something else to do.
const (
	UsualRequests = 3500
	usualTime     = 30 * time.Second
)

// Options say which requests are sent, and how many.
type Options struct {
	Seed     uint64
	Requests int
	// Within is the time after which no more are sent; 0 for any.
	Within time.Duration
}

// comparison is one run.
type comparison struct {
	theirs, ours *side
	differences  allowances
	report       *report
	// unsettled is what stayed different of the state.
	unsettled []string
	asked     int
	stage     stage
	// late is set if the time was over before all was asked.
	late bool
}

// Run starts both brokers and asks them; the answers of each API are a
// scenario then.
func Run(ctx context.Context, t *scenario.Tally, odradek string, kafka kafkadist.Dist, dir string, opts Options) (err error) {
	c := &comparison{report: newReport()}
	if c.differences, err = parseDifferences(differencesFile); err != nil {
		return err
	}
	both, err := pair.Start(ctx, odradek, kafka, dir, groupSettings...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, both.Stop()) }()
	c.theirs, c.ours = newSide(both.Kafka.Addr, both.Kafka.DataDir), newSide(both.Odradek.Addr, both.Odradek.DataDir)
	defer c.theirs.close()
	defer c.ours.close()
	began := time.Now()
	served, err := c.ours.served()
	if err != nil {
		return err
	}
	if err := errors.Join(c.theirs.takeProducers(), c.ours.takeProducers(), c.theirs.loadGroups(), c.ours.loadGroups()); err != nil {
		return err
	}
	steps := slices.Concat(preparation(), rare(), rareInGroups(), plan(opts.Seed, began.UnixMilli(), served, opts.Requests))
	for n, one := range steps {
		if c.late = opts.Within > 0 && time.Since(began) > opts.Within; c.late {
			fmt.Fprintf(t.Out, "     differential: %d of %d steps after %v: no more are sent\n", n, len(steps), opts.Within)
			break
		}
		if err = errors.Join(ctx.Err(), c.ask(one)); err != nil {
			err = fmt.Errorf("after %d requests of seed %d: %w", c.asked, opts.Seed, err)
			break
		}
	}
	fmt.Fprintf(t.Out, "     differential: %d requests of -seed %d in %v\n", c.asked, opts.Seed, time.Since(began).Round(time.Millisecond))
	t.Run(ctx, "differential", c.scenarios(opts))
	return err
}

// served are the versions that the broker says it has.
func (s *side) served() (map[int16]versions, error) {
	answer, err := s.control(versioned(18, 0))
	if err != nil {
		return nil, err
	}
	served := map[int16]versions{}
	for _, one := range answer.(*kmsg.ApiVersionsResponse).ApiKeys {
		served[one.ApiKey] = versions{one.MinVersion, one.MaxVersion}
	}
	return served, nil
}

func (c *comparison) scenarios(opts Options) []scenario.Scenario {
	var all []scenario.Scenario
	for _, api := range slices.Sorted(maps.Keys(c.report.asked)) {
		name := fmt.Sprintf("%s, %d requests", api, c.report.asked[api])
		all = append(all, scenario.Scenario{Name: name, Run: func(context.Context) error { return c.report.err(api) }})
	}
	all = append(all, scenario.Scenario{Name: "both have the same topics and configs in the end", Run: func(context.Context) error {
		if c.unsettled != nil {
			return fmt.Errorf("they differ in %q", c.unsettled)
		}
		return nil
	}})
	if usual := Usual()[0]; opts.Seed == usual.Seed && opts.Requests >= usual.Requests && !c.late {
		all = append(all, scenario.Scenario{Name: "every listed difference was seen", Run: func(context.Context) error { return c.differences.Unseen() }})
	}
	return all
}

// againTimeout is how long the answers to what only asks may differ.
const againTimeout = settleTimeout

// ask sends a step to both, and compares. What only asks is asked again until
// the answers are equal, for a while: Kafka shows a change a little after it
// has acknowledged it.
func (c *comparison) ask(one step) error {
	if one.group != "" {
		return c.act(one)
	}
	again, settle := true, false
	for _, r := range one.requests {
		again = again && !changing[r.Key()]
		settle = settle || changesMetadata[r.Key()]
	}
	deadline := time.Now().Add(againTimeout)
	for {
		theirs, err := c.theirs.run(one)
		if err != nil {
			return err
		}
		ours, err := c.ours.run(one)
		if err != nil {
			return err
		}
		found := make([][]difference, len(one.requests))
		known := true
		for n, r := range one.requests {
			found[n] = c.differences.forbidden(r.name(), theirs[n], ours[n])
			known = known && c.report.known(r.api(), found[n])
			if theirs[n][connectionField] != ours[n][connectionField] {
				break // what follows on it has nothing to say of itself
			}
		}
		if known || !again || time.Now().After(deadline) {
			c.note(one, found)
			break
		}
	}
	for n := range c.theirs.conns {
		if (c.theirs.conns[n] == nil) != (c.ours.conns[n] == nil) {
			c.theirs.drop(n)
			c.ours.drop(n)
		}
	}
	if settle {
		return c.settle()
	}
	return nil
}

func (c *comparison) note(one step, found [][]difference) {
	for n, r := range one.requests {
		c.report.asked[r.api()]++
		before := ""
		if n > 0 && one.requests[n-1].silent {
			// It is answered by what becomes of the connection.
			before = fmt.Sprintf(" after %s", one.requests[n-1].text())
		}
		c.report.add(c.asked, r, before, found[n])
		c.asked++
	}
}
