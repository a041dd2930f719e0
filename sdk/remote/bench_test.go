package remote_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote/remotetest"
)

// BenchmarkPartition compares the two transports for a call with one key of 16
// bytes, with a thousand of them, and with many calls in flight.
func BenchmarkPartition(b *testing.B) {
	for _, transport := range []string{"frames", "grpc"} {
		command := remotetest.Command(b, testPartitioner(), nil)
		command.NoFrames = transport == "grpc"
		p := remotetest.Launch(b, command).Instance().(partitioner.Partitioner)
		for _, n := range []int{1, 1000} {
			batch := partitioner.Batch{Topic: partitioner.Topic{Name: "t", Partitions: 12}}
			for range n {
				batch.Keys.Append(make([]byte, 16))
				batch.Sizes = append(batch.Sizes, 100)
			}
			b.Run(fmt.Sprintf("%s/keys=%d", transport, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, err := p.Assign(b.Context(), batch)
					require.NoError(b, err)
				}
			})
			b.Run(fmt.Sprintf("%s/keys=%d/in-flight=64", transport, n), func(b *testing.B) {
				var callers sync.WaitGroup
				for range 64 {
					callers.Go(func() {
						for range b.N/64 + 1 {
							_, err := p.Assign(b.Context(), batch)
							require.NoError(b, err)
						}
					})
				}
				callers.Wait()
			})
		}
	}
}

// BenchmarkCodec moves batches that do not compress.
func BenchmarkCodec(b *testing.B) {
	for _, transport := range []string{"frames", "grpc"} {
		command := remotetest.Command(b, testCodec(), nil)
		command.NoFrames = transport == "grpc"
		c := remotetest.Launch(b, command).Instance().(codec.Codec)
		for _, size := range []int{16, 1 << 20} {
			src := append(bytes.Repeat([]byte("ab"), size/2-1), "cd"...)
			b.Run(fmt.Sprintf("%s/bytes=%d", transport, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				var dst []byte
				for b.Loop() {
					var err error
					dst, err = c.Compress(b.Context(), dst[:0], src, codec.LevelDefault)
					require.NoError(b, err)
				}
			})
		}
	}
}
