// Package brokertest runs whole brokers inside tests.
package brokertest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/broker"
	"odradek.dev/sdk/module"
)

const (
	startTimeout = time.Minute
	stopTimeout  = time.Minute
	pollPeriod   = 10 * time.Millisecond
)

// Running is a broker that serves.
type Running struct {
	// Bootstrap and Admin are host:port.
	Bootstrap, Admin string
}

// Start runs a broker until the test ends, with ports and folders of its own
// over what the sources say.
//
// A test whose configuration has `run: subprocess` needs a TestMain that
// serves modules when its process is one (remote.IsModuleProcess).
func Start(t *testing.T, sources broker.Sources, modules ...module.Factory) Running {
	t.Helper()
	folder := t.TempDir()
	sources.Set = append(sources.Set,
		"listeners=PLAINTEXT://127.0.0.1:0",
		"admin.listener=127.0.0.1:0",
		"log.dirs="+folder,
		"metadata.log.dir="+folder,
		"log.level=warn",
	)
	config, err := broker.Load(sources)
	require.NoError(t, err)
	b, err := broker.New(config, modules...)
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			require.NoError(t, err)
		case <-time.After(stopTimeout):
			t.Errorf("the broker did not stop within %v", stopTimeout)
		}
	})
	require.Eventually(t, func() bool {
		select {
		case err := <-ended:
			ended <- err
			return true
		default:
			return ready(b.AdminAddr())
		}
	}, startTimeout, pollPeriod, "the broker was not ready in time")
	select {
	case err := <-ended:
		ended <- nil
		require.FailNow(t, "the broker ended at its start", "%v", err)
	default:
	}
	return Running{Bootstrap: b.Addr("PLAINTEXT"), Admin: b.AdminAddr()}
}

func ready(admin string) bool {
	if admin == "" {
		return false
	}
	response, err := http.Get("http://" + admin + "/readyz")
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}
