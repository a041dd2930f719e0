package remote

import (
	goplugin "github.com/hashicorp/go-plugin"

	"github.com/hashicorp/go-hclog"
)

// ServeVersion is a child of another version of the protocol.
func ServeVersion(version int) {
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  handshake(),
		VersionedPlugins: map[int]goplugin.PluginSet{version: {pluginName: &childPlugin{child: &child{log: hclog.NewNullLogger()}}}},
		GRPCServer:       newServer,
	})
}
