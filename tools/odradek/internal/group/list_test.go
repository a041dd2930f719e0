package group

import (
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// loadingBroker knows clients that come, and its groups are never read. With
// silent it does not even say so.
type loadingBroker struct {
	t        *testing.T
	listener net.Listener
	silent   bool
}

func newLoadingBroker(t *testing.T, silent bool) *loadingBroker {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	b := &loadingBroker{t, listener, silent}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go b.serve(conn)
		}
	}()
	return b
}

func (b *loadingBroker) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	for {
		var size [4]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		request := make([]byte, binary.BigEndian.Uint32(size[:]))
		if _, err := io.ReadFull(conn, request); err != nil {
			return
		}
		key, version := int16(binary.BigEndian.Uint16(request)), int16(binary.BigEndian.Uint16(request[2:]))
		response := b.respond(key)
		if response == nil {
			continue
		}
		response.SetVersion(version)
		frame := append(make([]byte, 4), request[4:8]...)
		if response.IsFlexible() && key != int16(kmsg.ApiVersions) {
			frame = append(frame, 0)
		}
		frame = response.AppendTo(frame)
		binary.BigEndian.PutUint32(frame, uint32(len(frame)-4))
		if _, err := conn.Write(frame); err != nil {
			return
		}
	}
}

func (b *loadingBroker) respond(key int16) kmsg.Response {
	switch kmsg.Key(key) {
	case kmsg.ApiVersions:
		r := kmsg.NewPtrApiVersionsResponse()
		for _, key := range []kmsg.Key{kmsg.ApiVersions, kmsg.Metadata, kmsg.ListGroups} {
			r.ApiKeys = append(r.ApiKeys, kmsg.ApiVersionsResponseApiKey{ApiKey: int16(key), MaxVersion: 3})
		}
		return r
	case kmsg.Metadata:
		at := b.listener.Addr().(*net.TCPAddr)
		r := kmsg.NewPtrMetadataResponse()
		r.Brokers = []kmsg.MetadataResponseBroker{{NodeID: 1, Host: at.IP.String(), Port: int32(at.Port)}}
		r.ControllerID = 1
		return r
	}
	if b.silent {
		return nil
	}
	assert.Equal(b.t, int16(kmsg.ListGroups), key)
	r := kmsg.NewPtrListGroupsResponse()
	r.ErrorCode = kerr.CoordinatorLoadInProgress.Code
	return r
}

func TestListGivesUpOnGroupsThatAreNotRead(t *testing.T) {
	for _, silent := range []bool{false, true} {
		b := newLoadingBroker(t, silent)
		cmd := Command()
		cmd.SetArgs([]string{"list", "--bootstrap", b.listener.Addr().String(), "--timeout", "700ms"})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		began := time.Now()
		err := cmd.ExecuteContext(t.Context())
		require.ErrorContains(t, err, "not done within 700ms, which --timeout sets: listing groups: ")
		require.Less(t, time.Since(began), time.Minute)
		if !silent {
			require.ErrorContains(t, err, "a coordinator still reads its groups, see its broker's log: COORDINATOR_LOAD_IN_PROGRESS")
		}
	}
}

func TestListKnowsTheStatesAndTypesOfGroups(t *testing.T) {
	for flag, names := range map[string]string{
		"--state": "Empty, PreparingRebalance, CompletingRebalance, Assigning, Reconciling, Stable, Dead",
		"--type":  "classic, consumer",
	} {
		cmd := Command()
		cmd.SetArgs([]string{"list", flag, "Foo"})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		require.ErrorContains(t, cmd.ExecuteContext(t.Context()), `"Foo" is none of `+names)
	}
	cmd := Command()
	cmd.SetArgs([]string{"list", "--timeout", "0s"})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	require.EqualError(t, cmd.ExecuteContext(t.Context()), "--timeout 0s must be more than 0")
}
