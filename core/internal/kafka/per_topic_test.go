package kafka

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

func plaintext() *Caller { return &Caller{Listener: config.Listener{Name: "PLAINTEXT"}} }

// overTheWire encodes a response as it is sent, at a version, and reads it as
// a client does.
func overTheWire[R kmsg.Response](t *testing.T, version int16, sent, received R) R {
	t.Helper()
	sent.SetVersion(version)
	received.SetVersion(version)
	require.NoError(t, received.ReadFrom(sent.AppendTo(nil)))
	return received
}

var errBroken = errors.New("broken")

func TestOnceEach(t *testing.T) {
	named := func(name string) metadata.TopicRef { return metadata.TopicRef{Name: name} }
	id := metadata.TopicRef{ID: metadata.TopicID{1}}
	asked := []metadata.TopicRef{named("a"), id, named("b"), named("a"), named("c"), named("b"), id, named("a")}
	unique, refused := onceEach(asked, func(r *metadata.TopicRef) metadata.TopicRef { return *r })
	require.Len(t, unique, 1)
	require.Equal(t, named("c"), *unique[0])
	require.Len(t, refused, 3)
	for n, want := range []metadata.TopicRef{named("a"), id, named("b")} {
		require.Equal(t, want, metadata.TopicRef{Name: refused[n].Name, ID: refused[n].ID})
		require.Equal(t, kerr.InvalidRequest.Code, refused[n].Refusal.Code())
	}
}
