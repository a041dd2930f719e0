package isr

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/replication"
)

// TestTranscripts runs the scenarios of testdata. A scenario is one replica:
//
//	open self=1 leader=1 epoch=5 replicas=1,2,3 insync=1,2,3 ...
//	step at=10ms
//	propose 1 acks=all
//
// and below ---- each event with the effects that it has. Run with -rewrite to
// write the effects anew.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		s := &scenario{t: t, sequence: map[int32]uint64{}}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "open":
				return s.open(fields(d))
			case "step":
				return s.step(fields(d), d.Input)
			case "elect":
				return s.elect(fields(d))
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	})
}

type scenario struct {
	t        *testing.T
	machine  replication.Machine
	now      time.Duration
	sequence map[int32]uint64
}

// words are the parts of a line: name=value, or a name alone.
type words map[string]string

func fields(d *datadriven.TestData) words {
	w := words{}
	for _, arg := range d.CmdArgs {
		w[arg.Key] = strings.Join(arg.Vals, ",")
	}
	return w
}

func (w words) int(name string, missing int64) int64 {
	text, ok := w[name]
	if !ok {
		return missing
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("%s=%s: %v", name, text, err))
	}
	return n
}

func (w words) ids(name string, missing []int32) []int32 {
	text, ok := w[name]
	if !ok {
		return missing
	}
	var out []int32
	for part := range strings.SplitSeq(text, ",") {
		if part != "" && part != "none" {
			out = append(out, int32(words{"n": part}.int("n", 0)))
		}
	}
	return out
}

func (w words) record() replication.Record {
	replicas := w.ids("replicas", []int32{1})
	return replication.Record{
		Version: w.int("version", 1), Leader: int32(w.int("leader", 1)), LeaderEpoch: int32(w.int("epoch", 5)),
		Replicas: replicas, InSync: w.ids("insync", replicas), MinInSync: int32(w.int("min", 1)),
	}
}

func (s *scenario) open(w words) string {
	config := Defaults()
	_, config.FlushBeforeAck = w["flush"]
	view := replication.LogView{Start: w.int("start", 0), End: w.int("end", 0)}
	view.Durable = w.int("durable", view.End)
	if text := w["epochs"]; text != "" {
		for part := range strings.SplitSeq(text, ",") {
			epoch, start, _ := strings.Cut(part, ":")
			view.Epochs = append(view.Epochs, replication.EpochStart{
				Epoch: int32(words{"n": epoch}.int("n", 0)), Start: words{"n": start}.int("n", 0),
			})
		}
	}
	start := replication.Start{Self: int32(w.int("self", 1)), Record: w.record(), Log: view, Seed: 7}
	if sealed := w.int("sealed", -1); sealed >= 0 {
		start.Hard = []byte{messageVersion, 0, 0, 0, byte(sealed)}
	}
	machine, err := New(config).Open(context.Background(), start)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	s.machine, s.now = machine, 0
	effects, err := machine.Step(0, nil, nil)
	require.NoError(s.t, err)
	return show(effects)
}

func (s *scenario) step(w words, input string) string {
	if at, ok := w["at"]; ok {
		now, err := time.ParseDuration(at)
		require.NoError(s.t, err)
		require.GreaterOrEqual(s.t, now, s.now)
		s.now = now
	}
	var out strings.Builder
	for line := range strings.SplitSeq(input, "\n") {
		fmt.Fprintln(&out, line)
		effects, err := s.machine.Step(s.now, []replication.Event{s.event(line)}, nil)
		out.WriteString(show(effects))
		if err != nil {
			fmt.Fprintf(&out, "  error: %v\n", err)
		}
	}
	return out.String()
}

func (s *scenario) elect(w words) string {
	record := w.record()
	next, err := New(Defaults()).Elect(context.Background(), record, replication.Liveness{Nodes: w.ids("live", nil)})
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	if next.Version == record.Version {
		return "unchanged\n"
	}
	return showRecord(&next) + "\n"
}

// show is one line for each effect, indented.
func show(effects []replication.Effect) string {
	var out strings.Builder
	for i := range effects {
		fmt.Fprintf(&out, "  %s\n", showEffect(&effects[i]))
	}
	return out.String()
}

func showRecord(r *replication.Record) string {
	return fmt.Sprintf("version=%d leader=%d epoch=%d insync=%v", r.Version, r.Leader, r.LeaderEpoch, r.InSync)
}
