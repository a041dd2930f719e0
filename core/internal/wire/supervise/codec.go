package supervise

import (
	"context"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
)

type codecProxy struct {
	anyProxy
	// info is the first process's. Batches are stored under it, so no later
	// process may have another.
	info codec.Info
}

var _ codec.Codec = (*codecProxy)(nil)

func (p *codecProxy) accepts(instance any) error {
	if info := instance.(codec.Codec).Info(); info != p.info {
		return module.Fatalf("the codec was %+v when the broker started and is %+v now", p.info, info)
	}
	return nil
}

func (p *codecProxy) Info() codec.Info { return p.info }

func (p *codecProxy) Compress(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	return forwardAgain(ctx, p.module, func(current codec.Codec) ([]byte, error) {
		return current.Compress(ctx, dst, src, level)
	})
}

func (p *codecProxy) Decompress(ctx context.Context, dst, src []byte, budget int) ([]byte, error) {
	return forwardAgain(ctx, p.module, func(current codec.Codec) ([]byte, error) {
		return current.Decompress(ctx, dst, src, budget)
	})
}
