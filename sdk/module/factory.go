package module

// Factory builds one module. It is a value: listing it in a distribution is
// all the registration there is. Make one with the Module function of a kind's
// package, not with [NewFactory], so that the kind is checked by the compiler.
type Factory struct {
	descriptor Descriptor
	fields     []Field
	check      func(raw map[string]any) error
	build      func(env Env, raw map[string]any) (any, error)
}

// NewFactory is for the packages of the kinds.
func NewFactory[S Settings, M any](d Descriptor, defaults func() S, build func(Env, S) (M, error)) Factory {
	fields := fieldsOf(defaults())
	settle := func(raw map[string]any) (S, error) {
		settings := defaults()
		if err := decode(raw, &settings, fields); err != nil {
			return settings, err
		}
		return settings, settings.Validate()
	}
	return Factory{
		descriptor: d,
		fields:     fields,
		check: func(raw map[string]any) error {
			_, err := settle(raw)
			return err
		},
		build: func(env Env, raw map[string]any) (any, error) {
			settings, err := settle(raw)
			if err != nil {
				return nil, err
			}
			return build(env, settings)
		},
	}
}

// Descriptor says which module this is.
func (f Factory) Descriptor() Descriptor { return f.descriptor }

// Fields lists the settings with their defaults.
func (f Factory) Fields() []Field { return f.fields }

// Check reports what is wrong with the settings, without building anything.
func (f Factory) Check(raw map[string]any) error { return f.check(raw) }

// New builds an instance. It implements the contract of the factory's kind,
// and as many of [Starter], [Stopper] and [HealthChecker] as the module needs.
func (f Factory) New(env Env, raw map[string]any) (any, error) { return f.build(env.complete(), raw) }
