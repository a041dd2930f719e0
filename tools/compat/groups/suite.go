// Package groups has consumers of many client libraries in groups: side by side
// on one topic, mixed in one group whose assignor a third party wrote, and, here
// and on Apache Kafka, in one that changes its protocol and in those whose protocol
// is taken away.
package groups

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	"odradek.dev/tools/compat/languages"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/kafkadist"
)

// Run starts one broker with the assignor examples/assignor-weighted in a
// process of its own, then another beside Kafka. What is fetched is kept in bin.
func Run(ctx context.Context, t *scenario.Tally, odradek string, kafka kafkadist.Dist, bin, dir string) (err error) {
	// The processes of the libraries end with it.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	libraries, err := prepare(ctx, kafka, bin, dir)
	if err != nil {
		return err
	}
	config, err := weightedConfig(ctx, dir)
	if err != nil {
		return err
	}
	broker, err := brokerproc.New(odradek, dir, "--config", config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, broker.Kill()) }()
	if err := broker.Start(ctx); err != nil {
		return err
	}
	beside := newSideBySide(broker.Addr, libraries)
	t.Run(ctx, "groups", beside.scenarios())
	err = beside.stop()
	apart := &unequal{broker: broker, libraries: libraries, ledger: newLedger()}
	t.Run(ctx, "groups", apart.scenarios())
	err = errors.Join(err, apart.stop())
	one := &mixed{broker: broker, libraries: libraries, ledger: newLedger()}
	t.Run(ctx, "groups", one.scenarios())
	return errors.Join(err, one.stop(), migrate(ctx, t, odradek, kafka, dir), takeAway(ctx, t, odradek, kafka, dir))
}

// prepare fetches what the libraries of other languages need.
func prepare(ctx context.Context, kafka kafkadist.Dist, bin, dir string) (map[string]start, error) {
	kcat, err := exec.LookPath("kcat")
	if err != nil {
		return nil, fmt.Errorf("%w; on Debian: apt-get install kcat", err)
	}
	python, err := languages.Python(ctx, filepath.Join(bin, "python"))
	if err != nil {
		return nil, err
	}
	modules, err := languages.Node(ctx, filepath.Join(bin, "node"))
	if err != nil {
		return nil, err
	}
	programs, err := writePrograms(dir)
	if err != nil {
		return nil, err
	}
	return map[string]start{
		"java":       startProgram(func() *exec.Cmd { return programs.java(ctx, kafka) }),
		"librdkafka": startProgram(func() *exec.Cmd { return programs.python(ctx, python) }),
		"kafkajs":    startProgram(func() *exec.Cmd { return programs.node(ctx, modules) }),
		"kcat":       startKcat(ctx, kcat),
		"franz-go":   startFranz,
		"sarama":     startSarama,
		"kafka-go":   startKafkaGo,
	}, nil
}
