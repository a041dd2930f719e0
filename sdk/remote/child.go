package remote

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"sync"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	modulev1 "odradek.dev/sdk/remote/proto/odradek/module/v1"
	"odradek.dev/sdk/vfs"
)

// child is the module process: it lists its modules, becomes one of them, and
// serves it.
type child struct {
	modulev1.UnimplementedControlServer
	factories []module.Factory
	log       hclog.Logger
	// output is what the host reads line by line.
	output *os.File
	// serveFrames starts to answer framed calls; nil if the host gave no
	// socket for them.
	serveFrames func(k kind, instance any)

	mu sync.Mutex
	// instance is nil until Configure has succeeded.
	instance any
	// configured is true from the first call of Configure on.
	configured bool
}

func (c *child) Describe(context.Context, *modulev1.DescribeRequest) (*modulev1.DescribeResponse, error) {
	answer := &modulev1.DescribeResponse{}
	if c.serveFrames != nil {
		answer.Features = []string{featureFrames}
	}
	for _, factory := range c.factories {
		described, err := describe(factory)
		if err != nil {
			return nil, err
		}
		answer.Modules = append(answer.Modules, described)
	}
	return answer, nil
}

func describe(factory module.Factory) (*modulev1.Module, error) {
	d := factory.Descriptor()
	described := &modulev1.Module{Kind: string(d.Kind), Name: d.Name, Version: d.Version, Summary: valid(d.Summary)}
	for _, field := range factory.Fields() {
		value, err := json.Marshal(portable(field.Default))
		if err != nil {
			return nil, status.Errorf(codes.Internal, "the default of setting %s of %s: %v", field.Name, d.ID(), err)
		}
		described.Settings = append(described.Settings, &modulev1.Setting{
			Name: field.Name, Type: field.Type, Doc: valid(field.Doc), DefaultJson: value,
		})
	}
	return described, nil
}

func (c *child) Configure(ctx context.Context, r *modulev1.ConfigureRequest) (*modulev1.ConfigureResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.configured {
		return nil, status.Error(codes.FailedPrecondition, "the module process is configured already")
	}
	c.configured = true
	factory, ok := c.find(module.Kind(r.GetKind()), r.GetName())
	if !ok {
		return nil, status.Errorf(codes.NotFound, "the process has no module %s/%s", r.GetKind(), r.GetName())
	}
	// go-plugin has put pipes of its own in their place, and what is in those is
	// lost when the process ends: often it is why.
	os.Stdout, os.Stderr = c.output, c.output
	instance, err := c.build(ctx, factory, r)
	if err != nil {
		return &modulev1.ConfigureResponse{Error: toWire(err)}, nil
	}
	c.instance = instance
	answer := &modulev1.ConfigureResponse{}
	k := kinds()[factory.Descriptor().Kind]
	if c.serveFrames != nil && k.frames != nil && slices.Contains(r.GetFeatures(), featureFrames) {
		c.serveFrames(k, instance)
		answer.Features = []string{featureFrames}
	}
	return answer, nil
}

func (c *child) find(k module.Kind, name string) (module.Factory, bool) {
	for _, factory := range c.factories {
		if d := factory.Descriptor(); d.Kind == k && d.Name == name {
			return factory, true
		}
	}
	return module.Factory{}, false
}

func (c *child) build(ctx context.Context, factory module.Factory, r *modulev1.ConfigureRequest) (any, error) {
	settings, err := decodeSettings(r.GetSettingsJson())
	if err != nil {
		return nil, err
	}
	if level := hclog.LevelFromString(r.GetLogLevel()); level != hclog.NoLevel {
		c.log.SetLevel(level)
	}
	instance, err := factory.New(module.Env{
		Log: c.log.Named(factory.Descriptor().ID()), Clock: clock.Real(), FS: vfs.OS(),
		Dir: r.GetDir(), Node: r.GetNode(), Seed: r.GetSeed(),
	}, settings)
	if err != nil {
		return nil, err
	}
	return instance, module.Start(ctx, instance)
}

func (c *child) Health(ctx context.Context, _ *modulev1.HealthRequest) (*modulev1.HealthResponse, error) {
	instance, err := serving[any](c)
	if err != nil {
		return nil, err
	}
	return &modulev1.HealthResponse{Error: toWire(module.Health(ctx, instance))}, nil
}

func (c *child) Stop(ctx context.Context, _ *modulev1.StopRequest) (*modulev1.StopResponse, error) {
	instance, err := serving[any](c)
	if err != nil {
		return nil, err
	}
	return &modulev1.StopResponse{Error: toWire(module.Stop(ctx, instance))}, nil
}

// serving returns the instance as what its kind promises.
func serving[M any](c *child) (M, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	instance, ok := c.instance.(M)
	if !ok || c.instance == nil {
		var none M
		return none, status.Error(codes.FailedPrecondition, "the process is not configured as a module of this kind")
	}
	return instance, nil
}
