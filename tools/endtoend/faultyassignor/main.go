// Faultyassignor is an assignor that does whatever a file says: it gives all to
// the first member, hangs, dies, or answers what no assignor may. A broker runs
// it as a process of its own.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote"
)

func main() {
	remote.Serve(assignor.Module(module.Descriptor{
		Name: "faulty", Version: "1.0.0", Summary: "does what a file says",
	}, func() Config { return Config{} }, func(_ module.Env, config Config) (assignor.Assignor, error) { return Faulty{config}, nil }))
}

// Config is what a user may set.
type Config struct {
	Mood string `setting:"mood" doc:"path of the file that says what to do; it is read at each call"`
}

// Validate implements module.Settings.
func (c Config) Validate() error {
	if c.Mood == "" {
		return module.Invalidf("mood is empty; it must be the path of a file")
	}
	return nil
}

// Faulty is sound if the file says so.
type Faulty struct{ config Config }

// Assign implements assignor.Assignor.
func (f Faulty) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	mood, err := os.ReadFile(f.config.Mood)
	if err != nil {
		return assignor.Assignment{}, err
	}
	sound := allToTheFirst(snapshot)
	switch mood := strings.TrimSpace(string(mood)); mood {
	case "sound":
		return sound, nil
	case "hangs":
		<-ctx.Done()
		return assignor.Assignment{}, ctx.Err()
	case "hangs and is deaf":
		select {}
	case "dies":
		os.Exit(3)
	case "panics":
		panic("as it was told")
	case "forgets a partition":
		first := &sound.Members[0].Partitions[0]
		first.Partitions = first.Partitions[1:]
		return sound, nil
	case "gives all twice":
		for n := range sound.Members {
			sound.Members[n].Partitions = sound.Members[0].Partitions
		}
		return sound, nil
	case "makes a partition up":
		first := &sound.Members[0].Partitions[0]
		first.Partitions = append(first.Partitions, int32(len(first.Partitions)))
		return sound, nil
	case "forgets a member":
		sound.Members = sound.Members[:len(sound.Members)-1]
		return sound, nil
	default:
		return assignor.Assignment{}, fmt.Errorf("%s says %q", f.config.Mood, mood)
	}
	return assignor.Assignment{}, nil
}

// allToTheFirst is what no other assignor answers.
func allToTheFirst(snapshot assignor.Snapshot) assignor.Assignment {
	plan := assignor.NewPlan(snapshot)
	for topic := range snapshot.Topics {
		for partition := range snapshot.Topics[topic].Partitions {
			plan.Give(0, topic, partition)
		}
	}
	return plan.Assignment()
}
