// Package clients has client libraries write the same awkward records with
// every codec they know, and each read what every other wrote.
package clients

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"odradek.dev/tools/compat/sample"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/kafkadist"
)

// client is one library. Its methods work on partition 0 of a topic that is
// there.
type client interface {
	write(ctx context.Context, addr, topic, codec string, records []sample.Record) error
	// read returns the first count records.
	read(ctx context.Context, addr, topic string, count int) ([]sample.Record, error)
	close() error
}

// library is a client and what it can do.
type library struct {
	name   string
	client client
	codecs []string
	// writes and reads say what of a record the library itself does not carry.
	writes, reads func(*sample.Record)
}

// Run starts a broker, and the libraries of other languages, which are fetched
// into bin.
func Run(ctx context.Context, t *scenario.Tally, odradek string, kafka kafkadist.Dist, bin, dir string) (err error) {
	// The processes of the libraries end with it.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// One library reads in groups, each of one member, that nobody else will join.
	broker, err := brokerproc.New(odradek, dir, "-X", "group.initial.rebalance.delay.ms=0")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, broker.Kill()) }()
	if err := broker.Start(ctx); err != nil {
		return err
	}
	all, err := libraries(ctx, kafka, bin, dir)
	if err != nil {
		return err
	}
	t.Run(ctx, "clients", scenarios(all, broker.Addr))
	for _, one := range all {
		err = errors.Join(err, one.client.close())
	}
	return err
}

func libraries(ctx context.Context, kafka kafkadist.Dist, bin, dir string) ([]library, error) {
	java, err := startJava(ctx, kafka, dir)
	if err != nil {
		return nil, err
	}
	python, err := startPython(ctx, filepath.Join(bin, "python"), dir)
	if err != nil {
		return nil, err
	}
	node, err := startNode(ctx, filepath.Join(bin, "node"), dir)
	if err != nil {
		return nil, err
	}
	return []library{
		{name: "franz-go", client: franzGo{}, codecs: sample.Codecs},
		{name: "java", client: java, codecs: sample.Codecs},
		{name: "librdkafka", client: python, codecs: sample.Codecs},
		{name: "sarama", client: saramaClient{}, codecs: sample.Codecs},
		{name: "kafka-go", client: kafkaGo{}, codecs: sample.Codecs, reads: emptyAsNull},
		{name: "kafkajs", client: node, codecs: []string{"none", "gzip", "snappy"}, writes: noNullHeaders},
	}, nil
}

// noNullHeaders: KafkaJS throws on a header that is null.
func noNullHeaders(record *sample.Record) {
	for i, header := range record.Headers {
		if header.Value == nil {
			record.Headers[i].Value = []byte{}
		}
	}
}

// emptyAsNull: kafka-go reads what is empty as null.
func emptyAsNull(record *sample.Record) {
	null := func(value *[]byte) {
		if len(*value) == 0 {
			*value = nil
		}
	}
	null(&record.Key)
	null(&record.Value)
	for i := range record.Headers {
		null(&record.Headers[i].Value)
	}
}

func apply(limit func(*sample.Record), records []sample.Record) {
	if limit == nil {
		return
	}
	for i := range records {
		limit(&records[i])
	}
}

func (l library) topic(codec string) string { return "from-" + l.name + "-" + codec }

// records are what the library writes with a codec, less what it can not carry.
func (l library) records(codec string) []sample.Record {
	records := sample.Records(uint64(slices.Index(sample.Codecs, codec)))
	apply(l.writes, records)
	return records
}

func scenarios(all []library, addr string) []scenario.Scenario {
	var list []scenario.Scenario
	for _, writer := range all {
		for _, codec := range writer.codecs {
			list = append(list, scenario.Scenario{Name: fmt.Sprintf("%s writes with codec %s", writer.name, codec), Run: func(ctx context.Context) error {
				if err := sample.CreateTopic(ctx, addr, writer.topic(codec), nil); err != nil {
					return err
				}
				return writer.client.write(ctx, addr, writer.topic(codec), codec, writer.records(codec))
			}})
		}
	}
	for _, reader := range all {
		for _, writer := range all {
			codecs := shared(reader, writer)
			list = append(list, scenario.Scenario{Name: fmt.Sprintf("%s reads what %s wrote with %d codecs", reader.name, writer.name, len(codecs)),
				Run: func(ctx context.Context) error { return readAll(ctx, addr, reader, writer, codecs) }})
		}
	}
	return list
}

// shared are the codecs that both know.
func shared(reader, writer library) []string {
	var codecs []string
	for _, codec := range writer.codecs {
		if slices.Contains(reader.codecs, codec) {
			codecs = append(codecs, codec)
		}
	}
	return codecs
}

func readAll(ctx context.Context, addr string, reader, writer library, codecs []string) error {
	for _, codec := range codecs {
		want := writer.records(codec)
		if end, err := sample.End(ctx, addr, writer.topic(codec)); err != nil || end != int64(len(want)) {
			return fmt.Errorf("codec %s: %d records were written, want %d: %w", codec, end, len(want), err)
		}
		apply(reader.reads, want)
		got, err := reader.client.read(ctx, addr, writer.topic(codec), len(want))
		if err == nil {
			err = sample.Difference(got, want)
		}
		if err != nil {
			return fmt.Errorf("codec %s: %w", codec, err)
		}
	}
	return nil
}
