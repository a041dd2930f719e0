package kafka

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// rootLogger is the one logger whose level can be changed (KIP-412). All others
// have its level. Like Kafka's, a level that was changed is forgotten when the
// broker stops.
const rootLogger = "root"

// logLevels are Kafka's names. Nothing here is worse than an error, so that
// FATAL is silence.
var logLevels = map[string]hclog.Level{
	"TRACE": hclog.Trace, "DEBUG": hclog.Debug, "INFO": hclog.Info, "WARN": hclog.Warn, "ERROR": hclog.Error, "FATAL": hclog.Off,
}

func describeLoggers(log hclog.Logger) []config.Entry {
	level := "INFO"
	for name, is := range logLevels {
		if is == log.GetLevel() {
			level = name
		}
	}
	return []config.Entry{{
		Definition: config.Definition{Name: rootLogger, Doc: "The least severe log lines that are written: " + levelNames() + "."},
		Value:      level, Source: config.SourceLogger,
	}}
}

func levelNames() string { return strings.Join(slices.Sorted(maps.Keys(logLevels)), ", ") }

// changeLoggers carries out all operations or none.
func changeLoggers(b *Backend, change metadata.ConfigChange, validateOnly bool) *refusal.Refusal {
	if f := checkOwn(b.Config, change.Resource.Name); f != nil {
		return f
	}
	if change.Replace {
		return refusal.New(kerr.InvalidRequest, "levels of loggers are changed by IncrementalAlterConfigs")
	}
	for _, o := range change.Operations {
		if f := checkLogger(o); f != nil {
			return f
		}
	}
	if len(change.Operations) > 1 {
		return refusal.New(kerr.InvalidRequest, "the request names logger %q more than once", rootLogger)
	}
	for _, o := range change.Operations {
		if !validateOnly {
			b.Log.SetLevel(logLevels[*o.Value])
		}
	}
	return nil
}

func checkLogger(o metadata.ConfigOperation) *refusal.Refusal {
	switch {
	case o.Kind != metadata.SetConfig && o.Kind != metadata.DeleteConfig:
		return refusal.New(kerr.InvalidRequest, "the level of a logger is set; nothing can be appended or subtracted")
	case o.Name != rootLogger:
		return refusal.New(kerr.InvalidConfig, "logger %q does not exist; %q does, and all others have its level", o.Name, rootLogger)
	case o.Kind == metadata.DeleteConfig:
		return refusal.New(kerr.InvalidRequest, "the level of logger %q cannot be removed, only changed", rootLogger)
	case o.Value == nil:
		return refusal.New(kerr.InvalidRequest, "null is not a level; the levels are %s", levelNames())
	}
	if _, known := logLevels[*o.Value]; !known {
		return refusal.New(kerr.InvalidConfig, "%s: %q is not a level; the levels are %s", o.Name, *o.Value, levelNames())
	}
	return nil
}
