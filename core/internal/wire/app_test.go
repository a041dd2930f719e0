package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"odradek.dev/core/internal/wire/settings"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote"
)

// TestMain lets brokers of the tests start this binary as a module's process.
func TestMain(m *testing.M) {
	if remote.IsModuleProcess() {
		remote.Serve(withFallback()...)
		return
	}
	goleak.VerifyTestMain(m)
}

func newApp(t *testing.T, factories []module.Factory, set ...string) *App {
	t.Helper()
	c, err := settings.Load(settings.Sources{Set: append([]string{
		"listeners=PLAINTEXT://127.0.0.1:0", "admin.listener=127.0.0.1:0", "log.dirs=/one,/two", "log.level=error",
	}, set...)})
	require.NoError(t, err)
	app, err := NewApp(c, factories)
	require.NoError(t, err)
	return app
}

// runApp runs app until the test calls stop, which returns Run's error.
func runApp(t *testing.T, app *App) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- app.Run(ctx) }()
	require.Eventually(t, func() bool { return get(app.AdminAddr(), "/readyz") == `200 {"status":"ok"}` }, time.Minute, 5*time.Millisecond)
	return func() error {
		cancel()
		return <-ended
	}
}

// get answers status and body, or the error.
func get(addr, path string) string {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + addr + path)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	return response.Status[:3] + " " + strings.TrimSpace(string(body))
}

func TestBrokerStartsServesAndStopsInOrder(t *testing.T) {
	var j journal
	app := newApp(t, wholeModules(&j, nil))
	require.Empty(t, app.Addr("PLAINTEXT"))
	require.Empty(t, app.AdminAddr())
	stop := runApp(t, app)

	conn, err := net.Dial("tcp", app.Addr("PLAINTEXT"))
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	require.Equal(t, `200 {"status":"ok"}`, get(app.AdminAddr(), "/healthz"))
	require.Contains(t, get(app.AdminAddr(), "/metrics"), "odradek_partitions 0")
	require.Contains(t, get(app.AdminAddr(), "/metrics"), `odradek_module_up{kind="partitioner",name="zero"} 1`)
	require.Contains(t, get(app.AdminAddr(), "/v1/config"), `{"name":"log.dirs","value":"/one,/two","source":"-X log.dirs"}`)
	require.Contains(t, get(app.AdminAddr(), "/v1/modules"), `"kind":"election","name":"raft","version":"1.0.0","binding":"in-process"`)

	require.NoError(t, stop())
	require.Equal(t, []string{
		"start storage", "start election", "start replication", "start partitioner",
		"mount /one", "mount /two", "unmount /one", "unmount /two",
		"stop partitioner", "stop replication", "stop election", "stop storage",
	}, j.all())
}

func TestWhatClientsAreToldHasTheBoundPort(t *testing.T) {
	app := newApp(t, wholeModules(new(journal), nil))
	stop := runApp(t, app)
	_, port, err := net.SplitHostPort(app.Addr("PLAINTEXT"))
	require.NoError(t, err)
	require.NotEqual(t, "0", port)
	told := app.parts.broker.Listeners[0]
	require.Equal(t, app.Addr("PLAINTEXT"), net.JoinHostPort(told.AdvertisedHost, port))
	require.Equal(t, told.Port, told.AdvertisedPort)
	require.Zero(t, app.config.Broker.Listeners[0].Port, "a configuration does not change")
	require.NoError(t, stop())
}

func TestFailedStartStopsWhatHadStarted(t *testing.T) {
	var j journal
	refused := errors.New("disk on fire")
	err := newApp(t, wholeModules(&j, refused)).Run(t.Context())
	require.ErrorIs(t, err, refused)
	require.ErrorContains(t, err, "log.dirs: cannot use /one")
	require.Equal(t, []string{
		"start storage", "start election", "start replication", "start partitioner", "mount /one",
		"stop partitioner", "stop replication", "stop election", "stop storage",
	}, j.all())
}

func TestPortThatIsTakenIsNamed(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	var j journal
	err = newApp(t, wholeModules(&j, nil), "listeners=PLAINTEXT://"+taken.Addr().String()).Run(t.Context())
	require.ErrorContains(t, err, "listeners: cannot listen for PLAINTEXT")
	require.ErrorContains(t, err, "address already in use")
	require.Empty(t, j.all(), "it shows before anything else is started")

	err = newApp(t, wholeModules(new(journal), nil), "admin.listener="+taken.Addr().String()).Run(t.Context())
	require.ErrorContains(t, err, "admin.listener: cannot listen")
}

func TestAskedToStopBeforeItHasStarted(t *testing.T) {
	var j journal
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, newApp(t, wholeModules(&j, nil)).Run(ctx))
	require.Empty(t, j.all())
}

func TestNoAdminServer(t *testing.T) {
	app := newApp(t, wholeModules(new(journal), nil), "admin.listener=")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- app.Run(ctx) }()
	require.Eventually(t, func() bool { return app.Addr("PLAINTEXT") != "" }, time.Minute, 5*time.Millisecond)
	require.Empty(t, app.AdminAddr())
	cancel()
	require.NoError(t, <-ended)
}

// failing has a part of a broker that has started fail when the broker is told to
// stop.
type failing struct {
	context.Context
	stop context.CancelFunc
	app  *App
}

func (f failing) Done() <-chan struct{} {
	if get(f.app.AdminAddr(), "/readyz") == `200 {"status":"ok"}` {
		f.app.failures.report(errors.New("socket gone"))
		f.stop()
	}
	return f.Context.Done()
}

func TestAPartThatFailsAtTheEndIsToldOf(t *testing.T) {
	for range 10 { // each time, not by luck
		app := newApp(t, wholeModules(new(journal), nil))
		ctx, cancel := context.WithCancel(t.Context())
		require.ErrorContains(t, app.Run(failing{ctx, cancel, app}), "socket gone")
	}
}

func TestPartThatFailsLaterStopsTheBroker(t *testing.T) {
	app := newApp(t, wholeModules(new(journal), nil))
	ended := make(chan error, 1)
	go func() { ended <- app.Run(t.Context()) }()
	require.Eventually(t, func() bool { return get(app.AdminAddr(), "/readyz") == `200 {"status":"ok"}` }, time.Minute, 5*time.Millisecond)
	app.failures.report(errors.New("socket gone"))
	require.ErrorContains(t, <-ended, "socket gone")
}
