package endtoend

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/broker"
	"odradek.dev/plugins/storage/segment"
	sdk "odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
	"odradek.dev/tools/odradek/distribution"
)

// inProcess is a whole broker in this process, so that its disk can be one that
// fails.
type inProcess struct {
	*broker.Broker
	cancel context.CancelFunc
	// ended is closed when the broker has, with what Run said in result.
	ended  chan struct{}
	result error
}

// startOn runs a broker whose logs are kept by engine, until the test ends. What
// it says at its end is the test's to look at.
func startOn(t *testing.T, engine sdk.Factory, set ...string) *inProcess {
	t.Helper()
	config, err := broker.Load(broker.Sources{Set: append(set,
		"listeners=PLAINTEXT://127.0.0.1:0", "admin.listener=127.0.0.1:0", "log.level=off")})
	require.NoError(t, err)
	modules := slices.DeleteFunc(distribution.Modules(), func(f sdk.Factory) bool {
		return f.Descriptor().ID() == engine.Descriptor().ID()
	})
	b, err := broker.New(config, append(modules, engine)...)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	p := &inProcess{Broker: b, cancel: cancel, ended: make(chan struct{})}
	go func() {
		p.result = b.Run(ctx)
		close(p.ended)
	}()
	t.Cleanup(func() { p.stop() })
	require.Eventually(t, p.ready, time.Minute, 5*time.Millisecond, "the broker was not ready in time")
	return p
}

func (p *inProcess) ready() bool {
	select {
	case <-p.ended:
		return true
	default:
	}
	if p.AdminAddr() == "" {
		return false
	}
	response, err := http.Get("http://" + p.AdminAddr() + "/readyz")
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func (p *inProcess) addr() string { return p.Addr("PLAINTEXT") }

func (p *inProcess) stop() error {
	p.cancel()
	<-p.ended
	return p.result
}

// noSettings is the settings of an engine that takes those of segment.
type noSettings struct{}

func (noSettings) Validate() error { return nil }

// segmentOn is the segment engine on another file system. One that is not the
// operating system's cannot be read by the host, so its extents become bytes.
func segmentOn(files vfs.FS, inMemory bool) sdk.Factory {
	build := func(env sdk.Env, _ noSettings) (storage.Engine, error) {
		env.FS = files
		made, err := segment.Factory().New(env, nil)
		if err != nil {
			return nil, err
		}
		engine := made.(storage.Engine)
		if inMemory {
			engine = inlining{engine, files}
		}
		return engine, nil
	}
	return storage.Module(segment.Factory().Descriptor(), func() noSettings { return noSettings{} }, build)
}

type inlining struct {
	storage.Engine
	files vfs.FS
}

func (e inlining) Open(ctx context.Context, o storage.Open) (storage.Log, storage.Recovery, error) {
	log, recovery, err := e.Engine.Open(ctx, o)
	if err != nil {
		return nil, recovery, err
	}
	return inliningLog{log, e.files}, recovery, nil
}

type inliningLog struct {
	storage.Log
	files vfs.FS
}

func (l inliningLog) Read(ctx context.Context, r storage.Read) (storage.Chunk, error) {
	chunk, err := l.Log.Read(ctx, r)
	for i, e := range chunk.Extents {
		if err != nil {
			break
		}
		chunk.Extents[i], err = l.inline(e)
	}
	return chunk, err
}

func (l inliningLog) inline(e storage.Extent) (storage.Extent, error) {
	f, err := l.files.OpenFile(filepath.Clean(e.File.Path), 0, 0)
	if err != nil {
		return e, err
	}
	defer f.Close()
	data := make([]byte, e.Length)
	if _, err := f.ReadAt(data, e.Position); err != nil {
		return e, err
	}
	return storage.Extent{Data: data, Length: e.Length}, nil
}
