package settings

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/module"
)

// chooser checks the modules section of a configuration against a distribution.
type chooser struct {
	config       Config
	distribution Distribution
	problems     Problems
}

// Choose is the modules of a configuration, by kind in the order of
// [module.Kinds], and the configuration with what follows from them; or
// everything that is wrong with it as a [Problems].
func Choose(c Config, factories []module.Factory) (Config, []Choice, error) {
	ch := &chooser{config: c, problems: slices.Clone(c.problems)}
	ch.distribution = newDistribution(factories, &ch.problems)
	var choices []Choice
	for _, kind := range module.Kinds() {
		choices = append(choices, ch.kind(kind)...)
	}
	ch.strategy(choices)
	ch.assignors(choices)
	return ch.config, choices, ch.problems.err()
}

// strategy checks that topics which name no replication strategy have one.
func (ch *chooser) strategy(choices []Choice) {
	names := namesOf(module.Replication, choices)
	if name := ch.config.Broker.Topic.ReplicationStrategy; !slices.Contains(names, name) {
		ch.problems.add(ch.config.settings["replication.strategy"].Origin,
			"replication.strategy: %q is not among the replication modules chosen, which are %s%s", name, orNone(names),
			config.DidYouMean(config.Nearest(name, slices.Values(names))))
	}
}

func (ch *chooser) kind(kind module.Kind) []Choice {
	if !kind.Many() {
		return ch.single(kind)
	}
	chosen, ok := ch.config.settings[modulePath(kind, "use")]
	names, _ := chosen.Value.([]string)
	if !ok {
		names = ch.distribution.defaults(kind)
	}
	if ok && len(names) == 0 {
		ch.problems.add(chosen.Origin, "modules.%s: is empty; choose at least one, or remove it to have %s",
			kind, strings.Join(ch.distribution.defaults(kind), ", "))
	}
	ch.strayEntries(kind, names)
	var choices []Choice
	for _, name := range names {
		at := chosen.Origin
		if own, ok := ch.config.settings[modulePath(kind, name, "use")]; ok {
			at = own.Origin
		}
		if choice, ok := ch.module(kind, name, at, ch.entry(modulePath(kind, name))); ok {
			choices = append(choices, choice)
		}
	}
	return choices
}

func (ch *chooser) single(kind module.Kind) []Choice {
	entry := ch.entry(modulePath(kind))
	use, ok := entry["use"]
	if !ok {
		names := ch.distribution.defaults(kind)
		if len(names) != 1 {
			ch.problems.add(Origin{}, "modules.%s: none is chosen; write use: with one of %s",
				kind, strings.Join(ch.distribution.names(kind), ", "))
			return nil
		}
		use = setting{Value: names[0]}
	}
	if choice, ok := ch.module(kind, use.text(), use.Origin, entry); ok {
		return []Choice{choice}
	}
	return nil
}

// entry is what is set for one module, by key.
func (ch *chooser) entry(path string) map[string]setting {
	entry := map[string]setting{}
	for p, s := range ch.config.settings {
		if key, ok := strings.CutPrefix(p, path+delimiter); ok {
			entry[key] = s
		}
	}
	return entry
}

// strayEntries reports settings of modules that are not chosen. What a file set
// for a module which a later source left out is no mistake.
func (ch *chooser) strayEntries(kind module.Kind, names []string) {
	for _, path := range slices.Sorted(maps.Keys(ch.config.settings)) {
		rest, ok := strings.CutPrefix(path, modulePath(kind)+delimiter)
		name, _, below := strings.Cut(rest, delimiter)
		at := ch.config.settings[path].Origin
		if !ok || !below || at.Layer == fromFile || slices.Contains(names, name) {
			continue
		}
		ch.problems.add(at, "modules.%s.%s: is not among the modules chosen; add it to them with modules.%s.use=%s%s",
			kind, name, kind, strings.Join(append(slices.Clone(names), name), ","),
			config.DidYouMean(config.Nearest(name, slices.Values(names))))
	}
}

// module makes the choice of one module; ok is false if it is not to be had.
func (ch *chooser) module(kind module.Kind, name string, at Origin, entry map[string]setting) (Choice, bool) {
	choice := Choice{Kind: kind, Name: name, Binding: InProcess, Settings: map[string]any{}, At: at}
	for key, s := range entry {
		if !slices.Contains(reserved, key) {
			choice.Settings[key] = s.Value
		}
	}
	ch.binding(&choice, entry)
	if choice.Exec != "" {
		return choice, true
	}
	choice.Factory = ch.distribution.Find(kind, name)
	if choice.Factory == nil {
		known := ch.distribution.names(kind)
		hint := config.DidYouMean(config.Nearest(name, slices.Values(known)))
		if hint == "" && slices.Contains(isolable, kind) {
			hint = "; a program of your own needs exec: PATH beside its name"
		}
		ch.problems.add(at, "modules.%s: no module %q in this distribution, which has %s%s", kind, name, orNone(known), hint)
		return choice, false
	}
	ch.checkSettings(choice, at, entry)
	return choice, true
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none of that kind"
	}
	return strings.Join(names, ", ")
}

var sha256Shape = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)

// binding reads run, exec, args and sha256.
func (ch *chooser) binding(choice *Choice, entry map[string]setting) {
	key := choice.key()
	run, exec, sum := entry["run"], entry["exec"], entry["sha256"]
	choice.Exec, choice.SHA256 = exec.text(), strings.ToLower(sum.text())
	isolated := run
	switch run.text() {
	case "", string(InProcess), string(Subprocess):
	default:
		ch.problems.add(run.Origin, "%s.run: %q is not allowed; it must be in-process or subprocess", key, run.text())
	}
	if choice.Exec != "" {
		isolated = exec
		if run.text() == string(InProcess) {
			ch.problems.add(run.Origin, "%s.run: an executable cannot run in-process; remove run or exec", key)
		}
	}
	if choice.Exec != "" || run.text() == string(Subprocess) {
		choice.Binding = Subprocess
		if !slices.Contains(isolable, choice.Kind) {
			ch.problems.add(isolated.Origin, "%s: %s modules cannot run in a process of their own yet; kinds that can are partitioner, assignor, codec",
				key, choice.Kind)
		}
	}
	if choice.SHA256 != "" && !sha256Shape.MatchString(choice.SHA256) {
		ch.problems.add(sum.Origin, "%s.sha256: %q is not allowed; it must be 64 hexadecimal digits, as sha256sum prints", key, sum.text())
	}
	for _, name := range []string{"args", "sha256"} {
		if s, ok := entry[name]; ok && choice.Exec == "" {
			ch.problems.add(s.Origin, "%s.%s: is for a module with exec, which this one does not have", key, name)
		}
	}
	ch.args(choice, key, entry)
}

func (ch *chooser) args(choice *Choice, key string, entry map[string]setting) {
	args, ok := entry["args"]
	if !ok {
		return
	}
	switch value := args.Value.(type) {
	case string:
		choice.Args = strings.Fields(value)
	case []any:
		for _, item := range value {
			choice.Args = append(choice.Args, fmt.Sprint(item))
		}
	default:
		ch.problems.add(args.Origin, "%s.args: must be a list of words", key)
	}
}

// checkSettings asks the module. Settings that are refused together are then
// tried one by one, so that a wrong one is reported in its own line.
func (ch *chooser) checkSettings(choice Choice, at Origin, entry map[string]setting) {
	together := choice.Factory.Check(choice.Settings)
	if together == nil {
		return
	}
	before := len(ch.problems)
	for _, name := range slices.Sorted(maps.Keys(choice.Settings)) {
		if err := choice.Factory.Check(map[string]any{name: choice.Settings[name]}); err != nil {
			ch.problems.add(entry[name].Origin, "%s.%s: %s", choice.key(), name, settingError(err))
		}
	}
	if len(ch.problems) == before {
		ch.problems.add(at, "modules.%s.%s: %s", choice.Kind, choice.Name, settingError(together))
	}
}

// settingError is err on one line, with the nearest valid name.
func settingError(err error) string {
	var parts []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, "; ") + NearestSetting(err)
}

// NearestSetting ends an error about a setting that a module does not have with
// the nearest one that it has, and every other with nothing.
func NearestSetting(err error) string {
	var unknown *module.UnknownSettingError
	if !errors.As(err, &unknown) {
		return ""
	}
	return config.DidYouMean(config.Nearest(unknown.Setting, slices.Values(unknown.Known)))
}
