package group

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// loadingBroker knows clients that come, and its groups are never read. It says
// so to those who ask first, and is silent then.
type loadingBroker struct {
	t        *testing.T
	listener net.Listener
	answers  int64
	// asked is how often somebody has asked for groups.
	asked atomic.Int64
}

func newLoadingBroker(t *testing.T, answers int64) *loadingBroker {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	b := &loadingBroker{t: t, listener: listener, answers: answers}
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
	assert.Equal(b.t, int16(kmsg.ListGroups), key)
	if b.asked.Add(1) > b.answers {
		return nil
	}
	r := kmsg.NewPtrListGroupsResponse()
	r.ErrorCode = kerr.CoordinatorLoadInProgress.Code
	return r
}

// TestListGivesUpOnGroupsThatAreNotRead has the time be up while the command waits
// to ask again, and while it waits for an answer.
func TestListGivesUpOnGroupsThatAreNotRead(t *testing.T) {
	for _, one := range []struct {
		answers, asked int64
		says           string
	}{
		{math.MaxInt64, 2, loadingHint}, {1, 2, loadingHint}, {0, 1, "listing groups: "},
	} {
		err := listInVain(t, one.answers, one.asked)
		require.ErrorContains(t, err, one.says)
	}
}

const loadingHint = "listing groups: a coordinator still reads its groups, see its broker's log: COORDINATOR_LOAD_IN_PROGRESS"

// listInVain gives a command the time that it takes to have asked so often, which
// is more on a busy machine, and returns what it says.
func listInVain(t *testing.T, answers, asked int64) error {
	for timeout := 700 * time.Millisecond; ; timeout *= 2 {
		require.Less(t, timeout, time.Minute)
		b := newLoadingBroker(t, answers)
		cmd := Command()
		cmd.SetArgs([]string{"list", "--bootstrap", b.listener.Addr().String(), "--timeout", timeout.String()})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		err := cmd.ExecuteContext(t.Context())
		require.ErrorContains(t, err, fmt.Sprintf("not done within %v, which --timeout sets: ", timeout))
		if b.asked.Load() >= asked {
			return err
		}
	}
}

func TestABrokerThatSaysNothing(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // the system takes who comes
	require.NoError(t, err)
	defer listener.Close()
	cmd := Command()
	cmd.SetArgs([]string{"list", "--bootstrap", listener.Addr().String(), "--timeout", "100ms"})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	require.EqualError(t, cmd.ExecuteContext(t.Context()), "not done within 100ms, which --timeout sets: no broker at "+listener.Addr().String()+
		": no answer; start one with `odradek serve`, or name another with --bootstrap")
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
