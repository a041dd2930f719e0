package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// With is the configuration of the broker with the values that were set while
// brokers run: forAll for all of them, own for this one, which goes first. A
// value that is not allowed, which only another release can have let through,
// is passed over. b stays as it is.
func (b *Broker) With(forAll, own map[string]string) *Broker {
	if len(forAll)+len(own) == 0 {
		return b
	}
	next := *b
	next.forAll, next.own = allowed(forAll), allowed(own)
	for _, layer := range []map[string]string{next.forAll, next.own} {
		for name, text := range layer {
			// It was just checked.
			_ = dynamicKey(name).set(&next, text)
		}
	}
	if topic, err := ResolveTopic(&next, nil); err == nil {
		next.Topic = topic
	}
	return &next
}

func allowed(layer map[string]string) map[string]string {
	kept := maps.Clone(layer)
	maps.DeleteFunc(kept, func(name, text string) bool { return dynamicKey(name).check(text) != nil })
	return kept
}

// text is what is set for a broker config, and where. It is false if nothing
// is.
func (b *Broker) text(name string) (text string, source int8, set bool) {
	for _, layer := range b.layers() {
		if text, set := layer.values[name]; set {
			return text, layer.source, true
		}
	}
	return "", SourceDefault, false
}

// layer is values from one source.
type layer struct {
	source int8
	values map[string]string
}

// layers are in the order in which they win; the defaults come after them.
func (b *Broker) layers() [3]layer {
	return [3]layer{{SourceOwnBroker, b.own}, {SourceAllBrokers, b.forAll}, {SourceStatic, b.Set}}
}

// NotDynamicError says that a broker config cannot be set so while brokers run.
type NotDynamicError struct {
	Name string
	// Why follows the name in the sentence.
	Why string
}

func (e *NotDynamicError) Error() string { return e.Name + ": " + e.Why }

// CheckDynamic says why values cannot be set while brokers run, for one broker
// or, with forAll, for all. It names the first in order of name. As in Kafka, a
// name that nobody knows is taken; see [CheckKnown].
func CheckDynamic(values map[string]string, forAll bool) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		k := dynamicKey(name)
		if err := checkPlace(k.Definition, forAll); err != nil {
			return err
		}
		if err := k.check(values[name]); err != nil {
			return err
		}
	}
	return checkDynamicConnections(values)
}

// CheckKnown says that nothing is called so, and what may have been meant.
func CheckKnown(name string) error {
	if _, known := brokerKey(name); known {
		return nil
	}
	return &UnknownNameError{Name: name, What: "broker config", Nearest: nearestBrokerName(name)}
}

func checkPlace(d Definition, forAll bool) error {
	switch {
	case d.Dynamic == Nowhere:
		return &NotDynamicError{d.Name, "cannot be changed while the broker runs; set it in the broker's configuration and start it again"}
	case d.ListenerOnly:
		return &NotDynamicError{d.Name, fmt.Sprintf("can be changed while the broker runs only for one listener, as %sNAME.%s", listenerPrefix, d.Name)}
	case forAll && d.Dynamic == OneBroker:
		return &NotDynamicError{d.Name, "cannot be set for all brokers at once; name one"}
	}
	return nil
}

const listenerPrefix = "listener.name."

// brokerKey finds the key of a broker config, also of one for a listener, or a
// mechanism of it: listener.name.NAME[.MECHANISM].BASE.
func brokerKey(name string) (key[Broker], bool) {
	if k, known := brokerKeys[name]; known {
		return k, true
	}
	rest, prefixed := strings.CutPrefix(name, listenerPrefix)
	if !prefixed {
		return key[Broker]{}, false
	}
	// The listener, then perhaps the mechanism.
	for range 2 {
		_, base, more := strings.Cut(rest, ".")
		if !more {
			break
		}
		if k, known := brokerKeys[base]; known {
			return k.forListener(name), true
		}
		rest = base
	}
	return key[Broker]{}, false
}

// dynamicKey is the key of what is set while brokers run. Under a name that
// nobody knows there may be anything, a secret too.
func dynamicKey(name string) key[Broker] {
	if k, known := brokerKey(name); known {
		return k
	}
	d := Definition{
		Name: name, ReadOnly: true, Dynamic: OneOrAllBrokers, Inert: true, Sensitive: true, Hidden: true,
		check: func(string) error { return nil },
	}
	return key[Broker]{Definition: d, set: func(*Broker, string) error { return nil }}
}

// forListener is the key of the same config for one listener. It has no default,
// and no effect but for those that [Broker.ListenerLimits] reads.
func (k key[S]) forListener(name string) key[S] {
	base := k.check
	k.Inert = !listenerLimits[k.Name]
	k.Name, k.Default, k.HasDefault, k.Hidden, k.ListenerOnly = name, "", false, true, false
	k.ReadOnly = true
	k.check = func(text string) error {
		if base(text) != nil {
			return &ValueError{Name: name, Value: text, Allowed: k.Allowed}
		}
		return nil
	}
	k.set = func(_ *S, text string) error { return k.check(text) }
	return k
}

// TopicList is the default of a topic's config that is a list; false if there
// is none of that name, or it is no list.
func TopicList(name string) (string, bool) {
	d := topicKeys[name].Definition
	return d.Default, d.Type == List
}

// BrokerList is the same of a broker's config. What the configuration of the
// broker says comes before the default.
func BrokerList(b *Broker, name string) (string, bool) {
	k, _ := brokerKey(name)
	if text, _, set := b.text(name); set {
		return text, k.Type == List
	}
	return k.Default, k.Type == List
}

// ClientMetricsList is the same of a config of a subscription to client
// metrics.
func ClientMetricsList(name string) (string, bool) {
	d := clientMetricsKeys[name].Definition
	return d.Default, d.Type == List
}
