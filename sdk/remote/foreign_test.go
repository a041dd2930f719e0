package remote_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
	"odradek.dev/sdk/remote/remotetest"
)

// serveForeign is a module as PROTOCOL.md lets one write it in any language: a
// gRPC library and nothing of go-plugin, no frames, no settings.
func serveForeign() {
	socket := filepath.Join(os.Getenv("PLUGIN_UNIX_SOCKET_DIR"), "module.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		panic(err)
	}
	fd, err := strconv.Atoi(os.Getenv("ODRADEK_LIFELINE_FD"))
	if err != nil {
		panic(err)
	}
	server := grpc.NewServer()
	modulev1.RegisterControlServer(server, foreign{})
	modulev1.RegisterPartitionerServer(server, foreign{})
	go func() {
		if err := server.Serve(listener); err != nil {
			panic(err)
		}
	}()
	fmt.Printf("1|1|unix|%s|grpc|\n", socket)
	_, _ = io.Copy(io.Discard, os.NewFile(uintptr(fd), "lifeline"))
	os.Exit(0)
}

type foreign struct {
	modulev1.UnimplementedControlServer
	modulev1.UnimplementedPartitionerServer
}

func (foreign) Describe(context.Context, *modulev1.DescribeRequest) (*modulev1.DescribeResponse, error) {
	return &modulev1.DescribeResponse{Modules: []*modulev1.Module{{Kind: "partitioner", Name: "length", Version: "9"}}}, nil
}

func (foreign) Configure(_ context.Context, r *modulev1.ConfigureRequest) (*modulev1.ConfigureResponse, error) {
	if string(r.GetSettingsJson()) != "{}" {
		return &modulev1.ConfigureResponse{Error: &modulev1.Error{Class: modulev1.Class_CLASS_INVALID, Message: "there are no settings"}}, nil
	}
	return &modulev1.ConfigureResponse{}, nil
}

func (foreign) Health(context.Context, *modulev1.HealthRequest) (*modulev1.HealthResponse, error) {
	return &modulev1.HealthResponse{}, nil
}

func (foreign) Stop(context.Context, *modulev1.StopRequest) (*modulev1.StopResponse, error) {
	return &modulev1.StopResponse{}, nil
}

func (foreign) Assign(_ context.Context, r *modulev1.PartitionRequest) (*modulev1.PartitionResponse, error) {
	return &modulev1.PartitionResponse{Partitions: make([]int32, len(r.GetKeyLengths())), Error: unknownClass(r)}, nil
}

// unknownClass is an error of a class that a later version may add.
func unknownClass(r *modulev1.PartitionRequest) *modulev1.Error {
	if r.GetTopic() != "later" {
		return nil
	}
	return &modulev1.Error{Class: 77, Code: "x.y", Message: "of a later version"}
}

func TestModuleOfAnotherLanguage(t *testing.T) {
	command := remotetest.Command(t, testPartitioner(), nil)
	command.Env = []string{envStart + "=foreign"}
	p := remotetest.Launch(t, command)
	require.False(t, p.Framed())
	require.Equal(t, "9", p.Descriptor().Version)
	require.NoError(t, module.Health(t.Context(), p.Instance()))
	got, err := p.Instance().(partitioner.Partitioner).Assign(t.Context(), partitioner.Batch{
		Topic: partitioner.Topic{Name: "t", Partitions: 3}, Keys: keys([]byte("a"), nil),
	})
	require.NoError(t, err)
	require.Equal(t, []int32{0, 0}, got)

	err = assign(t.Context(), p, "later")
	require.EqualError(t, err, "of a later version")
	require.Equal(t, module.Fatal, module.ClassOf(err))
}
