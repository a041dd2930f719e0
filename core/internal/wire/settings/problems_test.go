package settings

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wrong is a configuration with mistakes, and the lines that report them.
type wrong struct {
	name     string
	yaml     string
	env, set []string
	want     []string
}

var wrongValues = []wrong{
	{name: "unknown names, each in its line",
		yaml: "num.partitions: 1\nnum.partitons: 2\nlog.dir.s: x\n",
		want: []string{
			`o.yaml:2: num.partitons: unknown broker config; did you mean "num.partitions"?`,
			`o.yaml:3: log.dir.s: unknown broker config; did you mean "log.dirs"?`,
		}},
	{name: "every source is named",
		yaml: "num.partitions: many\n",
		env:  []string{"ODRADEK_NODE_ID=-1", "ODRADEK_NODE_IDD=1", "ODRADEK_MODULES_STORAGE_USE=memory"},
		set:  []string{"fetch.max.bytes=1", "nonsense", "=1"},
		want: []string{
			`o.yaml:1: num.partitions: "many" is not allowed; it must be a whole number from 1 to 2147483647`,
			`env ODRADEK_MODULES_STORAGE_USE: modules.storage.use: steps are parted by two underscores, as in ODRADEK_MODULES__STORAGE__USE`,
			`env ODRADEK_NODE_ID: node.id: "-1" is not allowed; it must be a whole number from 0 to 2147483647`,
			`env ODRADEK_NODE_IDD: node.idd: unknown broker config; did you mean "node.id"?`,
			`-X nonsense: must be key=value, as in -X num.partitions=6`,
			`-X "=1": must be key=value, as in -X num.partitions=6`,
			`-X fetch.max.bytes: fetch.max.bytes: "1" is not allowed; it must be a whole number from 1024 to 2147483647`,
		}},
	{name: "wrong types",
		yaml: "log:\n  dirs: x\nnum.partitions:\nlisteners: [{a: b}]\n",
		want: []string{
			`o.yaml:1: log: must be a plain value, not a mapping; names are written flat, as in log.dirs: VALUE`,
			`o.yaml:3: num.partitions: has no value; give it one or remove the line`,
			`o.yaml:4: listeners: the items of a list must be plain values`,
		}},
	{name: "twice", yaml: "node.id: 1\nnode.id: 2\n", want: []string{`o.yaml:2: node.id: stands twice, first in line 1`}},
	{name: "not YAML", yaml: "a: b\n c: d\n", want: []string{`o.yaml:2: not YAML: mapping values are not allowed in this context`}},
	{name: "no mapping", yaml: "- a\n", want: []string{`o.yaml:1: the file must be a mapping of names to values, as in node.id: 1`}},
	{name: "no address to tell clients", yaml: "node.id: 1\nlisteners: PLAINTEXT://0.0.0.0:9092\n", want: []string{
		`o.yaml:2: advertised.listeners: "" is not allowed; it must be set, since PLAINTEXT://0.0.0.0:9092 listens at every address and clients have to be told one; write advertised.listeners: PLAINTEXT://HOST:9092`}},
}

var wrongModules = []wrong{
	{name: "a section that is almost modules", yaml: "module:\n  storage: {use: memory}\n", want: []string{
		`o.yaml:1: module: unknown section; did you mean "modules"?`}},
	{name: "unknown kind", yaml: "modules:\n  codecs: [{use: zstd}]\n",
		set: []string{"modules.storrage.use=memory"},
		want: []string{
			`o.yaml:2: modules.codecs: unknown kind of module; did you mean "codec"?`,
			`-X modules.storrage.use: modules.storrage.use: unknown kind of module; did you mean "storage"?`,
		}},
	{name: "unknown module", yaml: "modules:\n  codec:\n    - use: zstd\n    - use: gzpi\n  storage: {use: segmet}\n",
		want: []string{
			`o.yaml:4: modules.codec: no module "gzpi" in this distribution, which has gzip, zstd; did you mean "gzip"?`,
			`o.yaml:5: modules.storage: no module "segmet" in this distribution, which has segment, memory; did you mean "segment"?`,
		}},
	{name: "unknown setting and wrong setting", yaml: "modules:\n  partitioner:\n    - use: sticky\n      batch.sise: 4\n    - use: crc32\n      batch.size: 0\n",
		want: []string{
			`o.yaml:4: modules.partitioner.sticky.batch.sise: unknown setting "batch.sise": the settings are batch.size, low, high; did you mean "batch.size"?`,
			`o.yaml:6: modules.partitioner.crc32.batch.size: batch.size: 0 is not allowed; it must be at least 1`,
		}},
	{name: "a setting of a kind of which there is one, by the key that -X takes", yaml: "modules:\n  storage: {use: segment, hihg: 4}\n",
		set: []string{"modules.storage.lwo=3"}, want: []string{
			`o.yaml:2: modules.storage.hihg: unknown setting "hihg": the settings are batch.size, low, high; did you mean "high"?`,
			`-X modules.storage.lwo: modules.storage.lwo: unknown setting "lwo": the settings are batch.size, low, high; did you mean "low"?`,
		}},
	{name: "wrong only together", yaml: "modules:\n  storage:\n    use: segment\n    low: 9\n    high: 8\n",
		want: []string{`o.yaml:3: modules.storage.segment: low: 9 is above high, which is 8`}},
	{name: "entries of the wrong shape", yaml: "modules:\n  codec: [zstd]\n  assignor:\n    - run: subprocess\n  storage: segment\n",
		want: []string{
			`o.yaml:2: modules.codec: must be a list of mappings, as in - use: NAME`,
			`o.yaml:4: modules.assignor: an entry needs use: NAME`,
			`o.yaml:5: modules.storage: must be one mapping, as in {use: NAME}`,
		}},
	{name: "empty list", yaml: "modules:\n  codec: []\n", want: []string{
		`o.yaml:2: modules.codec: is empty; choose at least one, or remove it to have gzip, zstd`}},
	{name: "a program without exec", yaml: "modules:\n  partitioner:\n    - use: of-my-own\n", want: []string{
		`o.yaml:3: modules.partitioner: no module "of-my-own" in this distribution, which has sticky, crc32; a program of your own needs exec: PATH beside its name`}},
	{name: "chosen twice", yaml: "modules:\n  codec:\n    - use: zstd\n    - use: zstd\n", want: []string{
		`o.yaml:4: modules.codec: zstd is chosen twice`}},
	{name: "bindings", yaml: "modules:\n  storage: {use: segment, run: subprocess}\n  codec:\n    - use: zstd\n      run: thread\n" +
		"    - use: gzip\n      sha256: abc\n  partitioner:\n    - {use: mine, exec: ./mine, run: in-process, sha256: abc}\n",
		want: []string{
			`o.yaml:2: modules.storage: storage modules cannot run in a process of their own yet; kinds that can are partitioner, assignor, codec`,
			`o.yaml:5: modules.codec.zstd.run: "thread" is not allowed; it must be in-process or subprocess`,
			`o.yaml:7: modules.codec.gzip.sha256: "abc" is not allowed; it must be 64 hexadecimal digits, as sha256sum prints`,
			`o.yaml:7: modules.codec.gzip.sha256: is for a module with exec, which this one does not have`,
			`o.yaml:9: modules.partitioner.mine.run: an executable cannot run in-process; remove run or exec`,
			`o.yaml:9: modules.partitioner.mine.sha256: "abc" is not allowed; it must be 64 hexadecimal digits, as sha256sum prints`,
		}},
	{name: "overrides of modules that are not chosen", yaml: "modules:\n  codec: {use: zstd}\n",
		set: []string{"modules.codec.gzip.run=subprocess", "modules.codec.zstd=1", "modules.codec"}, want: []string{
			`-X modules.codec.zstd: modules.codec.zstd: needs a module and its key, as in modules.codec.zstd.run`,
			`-X modules.codec: must be key=value, as in -X num.partitions=6`,
			`-X modules.codec.gzip.run: modules.codec.gzip: is not among the modules chosen; add it to them with modules.codec.use=zstd,gzip`,
		}},
	{name: "a strategy that is not chosen", set: []string{"replication.strategy=irs"}, want: []string{
		`-X replication.strategy: replication.strategy: "irs" is not among the replication modules chosen, which are isr; did you mean "isr"?`}},
	{name: "an assignor of groups that is not chosen", set: []string{"group.consumer.assignors=range,rang"}, want: []string{
		`-X group.consumer.assignors: group.consumer.assignors: "rang" is not among the assignor modules chosen, which are range; did you mean "range"?`}},
}

func TestWhatIsWrong(t *testing.T) {
	for _, c := range append(wrongValues, wrongModules...) {
		t.Run(c.name, func(t *testing.T) {
			_, err := check(Sources{Text: []byte(c.yaml), Env: c.env, Set: c.set})
			require.Error(t, err)
			require.Equal(t, c.want, strings.Split(err.Error(), "\n"))
			var problems Problems
			require.True(t, errors.As(err, &problems))
		})
	}
}
