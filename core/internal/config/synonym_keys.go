package config

import (
	"math"
	"strconv"
	"strings"
)

// synonymKeys are the broker configs that topic configs fall back to. A broker
// config shares the values of its topic config, but for those in hours and
// minutes. Of several synonyms only the last has a default, as in Kafka; that
// a broker name is a topic name too (min.insync.replicas) makes no difference.
func synonymKeys(topics table[Topic]) []key[Broker] {
	var keys []key[Broker]
	for _, name := range topics.names() {
		topic := topics[name].Definition
		for i, synonym := range topic.Synonyms {
			keys = append(keys, synonymKey(topic, synonym, i == len(topic.Synonyms)-1))
		}
	}
	return keys
}

func synonymKey(topic Definition, name string, last bool) key[Broker] {
	d := topic
	d.Name, d.Synonyms, d.ReadOnly = name, nil, false
	d.check = func(text string) error {
		if topic.check(text) != nil {
			return &ValueError{Name: name, Value: text, Allowed: topic.Allowed}
		}
		return nil
	}
	d.Doc = "For topics that do not set " + topic.Name + ": " + topic.Doc
	d.HasDefault = last && topic.HasDefault
	if !d.HasDefault {
		d.Default = ""
	}
	if unit := unitMs(name); unit > 1 {
		if d.HasDefault {
			d.Default = inUnit(topic.Default, unit)
		}
		low := int32(0)
		if topic.check("-1") == nil {
			low = -1
		}
		whole := integer(low, math.MaxInt32)
		d.Type, d.Allowed = whole.kind, whole.allowed
		d.check = func(text string) error {
			if _, ok := whole.parse(strings.TrimSpace(text)); !ok {
				return &ValueError{Name: name, Value: text, Allowed: whole.allowed}
			}
			return nil
		}
	}
	if topic.Name == retention {
		d.Allowed, d.check = keptFor(name, d.check)
	}
	return key[Broker]{Definition: d, set: func(_ *Broker, text string) error { return d.check(text) }}
}

// retention is the topic config whose broker configs take any number below zero
// for ever, and no zero, as in Kafka.
const retention = "retention.ms"

func keptFor(name string, check func(string) error) (allowed string, _ func(string) error) {
	allowed = "a whole number of at least 1, or one below zero for ever"
	return allowed, func(text string) error {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err == nil && n < 0 {
			n = -1
		}
		if err != nil || n == 0 || check(strconv.FormatInt(n, 10)) != nil {
			return &ValueError{Name: name, Value: text, Allowed: allowed}
		}
		return nil
	}
}

// unitMs is the milliseconds in the unit that a broker config's name ends in; 1
// for one that is in milliseconds or no time at all.
func unitMs(name string) int64 {
	switch {
	case strings.HasSuffix(name, ".hours"):
		return 60 * 60 * 1000
	case strings.HasSuffix(name, ".minutes"):
		return 60 * 1000
	}
	return 1
}

func inUnit(ms string, unit int64) string {
	n, err := strconv.ParseInt(ms, 10, 64)
	if err != nil {
		return ms
	}
	return strconv.FormatInt(n/unit, 10)
}

// fromUnit turns the text of the broker config name into that of its topic
// config. Below zero stays as it is: it means for ever, or the default.
func fromUnit(name, text string) string {
	unit := unitMs(name)
	if unit == 1 {
		return text
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 {
		return text
	}
	return strconv.FormatInt(n*unit, 10)
}
