package config

// Type is the type of a configuration value, numbered as DescribeConfigs does.
type Type int8

// The types.
const (
	Boolean Type = iota + 1
	String
	Int
	Short
	Long
	Double
	List
	Class
	Password
)

// Dynamic is where a broker config can be set while brokers run.
type Dynamic int8

// The places. A value for one broker goes before a value for all.
const (
	Nowhere Dynamic = iota
	OneBroker
	OneOrAllBrokers
)

// Definition is all there is to know of one configuration name.
type Definition struct {
	Name    string
	Type    Type
	Default string
	// HasDefault is false for names that are null until they are set.
	HasDefault bool
	// Synonyms are the broker names that a topic's value falls back to, in
	// order; the first that is set wins.
	Synonyms []string
	// ReadOnly says that the value can change only by a restart.
	ReadOnly bool
	// Dynamic says where a broker config can be set while brokers run.
	Dynamic Dynamic
	// Inert says that the value is checked, kept and described, but that
	// nothing acts on it yet.
	Inert     bool
	Sensitive bool
	// Hidden says that it is described only while it is set.
	Hidden bool
	// ListenerOnly says that it is set for one listener, if while brokers run.
	ListenerOnly bool
	// Allowed says in words what values are allowed.
	Allowed string
	Doc     string
	check   func(value string) error
}

// Entry is one value as DescribeConfigs answers it.
type Entry struct {
	Definition Definition
	Value      string
	// Written is the value of a topic's config as it was written where it was
	// set, if it was.
	Written string
	Null    bool
	// Source is numbered as DescribeConfigs does; see [SourceTopic] and those
	// after it.
	Source   int8
	Synonyms []Synonym
}

// Synonym is one place in which an entry's value could be set, and is.
type Synonym struct {
	Name, Value string
	Source      int8
}
