package settings

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	envPrefix = "ODRADEK_"
	// moduleProcessPrefix begins the variables by which a host and a module's
	// process find each other; they are no configuration either.
	moduleProcessPrefix = "ODRADEK_MODULE_"
)

// serviceLink matches the variables that Kubernetes sets in every container
// for a Service called "odradek". They are nobody's configuration.
var serviceLink = regexp.MustCompile(`^ODRADEK_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_.*)?)$`)

// variables turns environment variables into paths:
//
//	ODRADEK_LOG_DIRS                         log.dirs
//	ODRADEK_MODULES__STORAGE__USE            modules.storage.use
//	ODRADEK_MODULES__CODEC__ZSTD__RUN        modules.codec.zstd.run
//	ODRADEK_MODULES__PARTITIONER__STICKY__BATCH_SIZE   modules.partitioner.sticky.batch.size
//
// One underscore is a dot (in a module's name a dash), two are a step.
type variables struct{ problems *Problems }

func (v *variables) transform(name, text string) (string, any) {
	at := Origin{Layer: fromEnv, Name: name}
	key := strings.TrimPrefix(name, envPrefix)
	if serviceLink.MatchString(name) || strings.HasPrefix(name, moduleProcessPrefix) {
		return "", nil
	}
	if rest, ok := strings.CutPrefix(key, "MODULES__"); ok {
		steps := strings.Split(strings.ToLower(rest), "__")
		for i := range steps {
			joint := "."
			if i == 1 && len(steps) > 2 {
				joint = "-"
			}
			steps[i] = strings.ReplaceAll(steps[i], "_", joint)
		}
		path, value, problem := moduleKey(steps[0], steps[1:], text)
		if problem != "" {
			v.problems.add(at, "modules.%s: %s", strings.Join(steps, "."), problem)
			return "", nil
		}
		return path, setting{Value: value, Origin: at}
	}
	path := strings.ToLower(strings.ReplaceAll(key, "_", "."))
	if strings.HasPrefix(path, "modules.") {
		v.problems.add(at, "%s: steps are parted by two underscores, as in ODRADEK_MODULES__STORAGE__USE", path)
		return "", nil
	}
	return path, setting{Value: text, Origin: at}
}

// flags turns the values of -X into a layer. A module's settings are reached as
// modules.KIND.KEY where there is one module of the kind, and as
// modules.KIND.NAME.KEY where there are several.
func flags(set []string, problems *Problems) map[string]any {
	layer := map[string]any{}
	for _, flag := range set {
		key, text, ok := strings.Cut(flag, "=")
		key = strings.TrimSpace(key)
		at := Origin{Layer: fromFlag, Name: key}
		if key == "" {
			at.Name = strconv.Quote(flag)
		}
		if !ok || key == "" || strings.Contains(key, delimiter) {
			problems.add(at, "must be key=value, as in -X num.partitions=6")
			continue
		}
		rest, isModule := strings.CutPrefix(key, "modules.")
		if !isModule {
			layer[key] = setting{Value: text, Origin: at}
			continue
		}
		steps := strings.SplitN(rest, ".", 3)
		path, value, problem := moduleKey(steps[0], steps[1:], text)
		if problem != "" {
			problems.add(at, "%s: %s", key, problem)
			continue
		}
		layer[path] = setting{Value: value, Origin: at}
	}
	return layer
}
