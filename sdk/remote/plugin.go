package remote

import (
	"context"
	"errors"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
)

// childPlugin registers everything that a child serves with go-plugin's server.
type childPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	child *child
}

var _ goplugin.GRPCPlugin = (*childPlugin)(nil)

func (p *childPlugin) GRPCServer(_ *goplugin.GRPCBroker, s *grpc.Server) error {
	modulev1.RegisterControlServer(s, p.child)
	for _, k := range kinds() {
		k.register(s, p.child)
	}
	return nil
}

func (p *childPlugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("this end of a module process only serves")
}

// hostPlugin gives the host the connection itself.
type hostPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
}

var _ goplugin.GRPCPlugin = (*hostPlugin)(nil)

func (*hostPlugin) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("this end of a module process only calls")
}

func (*hostPlugin) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}
