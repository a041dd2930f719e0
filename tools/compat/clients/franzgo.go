package clients

import (
	"context"

	"odradek.dev/tools/compat/sample"
)

type franzGo struct{}

func (franzGo) write(ctx context.Context, addr, topic, codec string, records []sample.Record) error {
	return sample.Write(ctx, addr, topic, codec, records)
}

func (franzGo) read(ctx context.Context, addr, topic string, _ int) ([]sample.Record, error) {
	return sample.Read(ctx, addr, topic)
}

func (franzGo) close() error { return nil }
