package remote

import (
	"context"
	"encoding/binary"

	"google.golang.org/grpc"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote/internal/frame"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

type servedCodec struct {
	modulev1.UnimplementedCodecServer
	child *child
}

func registerCodec(s grpc.ServiceRegistrar, c *child) {
	modulev1.RegisterCodecServer(s, servedCodec{child: c})
}

func (s servedCodec) Info(context.Context, *modulev1.CodecInfoRequest) (*modulev1.CodecInfoResponse, error) {
	instance, err := serving[codec.Codec](s.child)
	if err != nil {
		return nil, err
	}
	info := instance.Info()
	return &modulev1.CodecInfoResponse{
		Attribute: int32(info.Attribute), MinLevel: int32(info.MinLevel),
		MaxLevel: int32(info.MaxLevel), DefaultLevel: int32(info.DefaultLevel),
	}, nil
}

func (s servedCodec) Compress(ctx context.Context, r *modulev1.CompressRequest) (*modulev1.CompressResponse, error) {
	instance, err := serving[codec.Codec](s.child)
	if err != nil {
		return nil, err
	}
	data, err := instance.Compress(ctx, nil, r.GetData(), int(r.GetLevel()))
	if err != nil {
		return &modulev1.CompressResponse{Error: toWire(err)}, nil
	}
	return &modulev1.CompressResponse{Data: data}, nil
}

func (s servedCodec) Decompress(ctx context.Context, r *modulev1.DecompressRequest) (*modulev1.DecompressResponse, error) {
	instance, err := serving[codec.Codec](s.child)
	if err != nil {
		return nil, err
	}
	data, err := decompress(ctx, instance, nil, r.GetData(), r.GetBudget())
	if err != nil {
		return &modulev1.DecompressResponse{Error: toWire(err)}, nil
	}
	return &modulev1.DecompressResponse{Data: data}, nil
}

// decompress does not send what is over the budget to a host that would refuse
// it.
func decompress(ctx context.Context, c codec.Codec, dst, src []byte, budget int64) ([]byte, error) {
	before := len(dst)
	data, err := c.Decompress(ctx, dst, src, int(budget))
	if err == nil && int64(len(data)-before) > max(budget, 0) {
		return nil, module.Fatalf("the codec gave %d bytes, which is over its budget of %d", len(data)-before, budget)
	}
	return data, err
}

func codecFrames(instance any) map[frame.Op]frame.Handler {
	c := instance.(codec.Codec)
	return map[frame.Op]frame.Handler{
		frame.OpCompress: func(ctx context.Context, payload, out []byte) ([]byte, error) {
			if len(payload) < 4 {
				return nil, module.Invalidf("the compress request has no level")
			}
			level := int32(binary.BigEndian.Uint32(payload))
			return c.Compress(ctx, out, payload[4:], int(level))
		},
		frame.OpDecompress: func(ctx context.Context, payload, out []byte) ([]byte, error) {
			if len(payload) < 8 {
				return nil, module.Invalidf("the decompress request has no budget")
			}
			budget := int64(binary.BigEndian.Uint64(payload))
			return decompress(ctx, c, out, payload[8:], budget)
		},
	}
}
