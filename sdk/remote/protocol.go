package remote

import (
	"time"

	goplugin "github.com/hashicorp/go-plugin"

	"odradek.dev/sdk/remote/internal/frame"
)

// ProtocolVersion is the version that this package speaks. Host and child must
// have one in common.
const ProtocolVersion = 1

// MaxMessageBytes is the longest request or answer between host and child, on
// both transports and in both directions.
const MaxMessageBytes = frame.MaxPayload

// DefaultCallTimeout is the deadline of a call whose context has none: no call
// waits for ever for a process that hangs.
const DefaultCallTimeout = 10 * time.Second

// grpcMessageBytes leaves room for the fields around the bytes that matter.
const grpcMessageBytes = MaxMessageBytes + 64<<10

// featureFrames is the feature of taking hot calls over the inherited socket.
const featureFrames = "frames"

// handshake tells a module process from the same program started by hand. It is
// no secret.
func handshake() goplugin.HandshakeConfig {
	return goplugin.HandshakeConfig{
		ProtocolVersion:  ProtocolVersion,
		MagicCookieKey:   "ODRADEK_MODULE_PROCESS",
		MagicCookieValue: "b1946ac92492d234",
	}
}

// pluginName is the name of the one plugin that a child serves to go-plugin.
const pluginName = "module"
