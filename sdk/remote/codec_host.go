package remote

import (
	"context"
	"encoding/binary"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote/internal/frame"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

type hostedCodec struct {
	*link
	info codec.Info
}

var _ codec.Codec = hostedCodec{}

func codecHost(ctx context.Context, l *link) (any, error) {
	answer, err := unary(ctx, modulev1.NewCodecClient(l.conn).Info, &modulev1.CodecInfoRequest{})
	if err != nil {
		return nil, err
	}
	if a := answer.GetAttribute(); a < 0 || a > 7 {
		return nil, module.Fatalf("the codec says that its attribute is %d, which does not fit three bits", a)
	}
	return hostedCodec{link: l, info: codec.Info{
		Attribute: int8(answer.GetAttribute()), MinLevel: int(answer.GetMinLevel()),
		MaxLevel: int(answer.GetMaxLevel()), DefaultLevel: int(answer.GetDefaultLevel()),
	}}, nil
}

func (c hostedCodec) Info() codec.Info { return c.info }

func (c hostedCodec) Compress(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	if int(int32(level)) != level {
		return dst, codec.ErrLevel.With("%d", level)
	}
	if c.frames == nil {
		answer, err := unary(ctx, modulev1.NewCodecClient(c.conn).Compress, &modulev1.CompressRequest{Data: src, Level: int32(level)})
		return append(dst, answer.GetData()...), err
	}
	err := c.call(ctx, frame.Request{
		Op:    frame.OpCompress,
		Limit: compressLimit(len(src)),
		Encode: func(b []byte) []byte {
			return append(binary.BigEndian.AppendUint32(b, uint32(int32(level))), src...)
		},
		Decode: func(b []byte) error {
			dst = append(dst, b...)
			return nil
		},
	})
	return dst, err
}

// compressLimit is more than any format makes of n bytes that do not compress.
func compressLimit(n int) int { return min(2*n+64<<10, MaxMessageBytes) }

func (c hostedCodec) Decompress(ctx context.Context, dst, src []byte, budget int) ([]byte, error) {
	if c.frames == nil {
		answer, err := unary(ctx, modulev1.NewCodecClient(c.conn).Decompress, &modulev1.DecompressRequest{Data: src, Budget: int64(budget)})
		return append(dst, answer.GetData()...), err
	}
	err := c.call(ctx, frame.Request{
		Op:    frame.OpDecompress,
		Limit: budget,
		Encode: func(b []byte) []byte {
			return append(binary.BigEndian.AppendUint64(b, uint64(budget)), src...)
		},
		Decode: func(b []byte) error {
			dst = append(dst, b...)
			return nil
		},
	})
	return dst, err
}
