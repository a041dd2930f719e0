package settings

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
)

// batchSettings is what the modules of these tests have.
type batchSettings struct {
	BatchSize int `setting:"batch.size" doc:"Bytes."`
	Low       int `setting:"low" doc:"At most high."`
	High      int `setting:"high" doc:"At least low."`
}

func (s batchSettings) Validate() error {
	switch {
	case s.BatchSize < 1:
		return module.Invalidf("batch.size: %d is not allowed; it must be at least 1", s.BatchSize)
	case s.Low > s.High:
		return module.Invalidf("low: %d is above high, which is %d", s.Low, s.High)
	}
	return nil
}

func factory(kind module.Kind, name string) module.Factory {
	return module.NewFactory(module.Descriptor{Kind: kind, Name: name, Version: "1.0.0"},
		func() batchSettings { return batchSettings{BatchSize: 1, Low: 0, High: 10} },
		func(module.Env, batchSettings) (any, error) { return struct{}{}, nil })
}

func testFactories() []module.Factory {
	return []module.Factory{
		factory(module.Storage, "segment"), factory(module.Storage, "memory"),
		factory(module.Election, "raft"), factory(module.Replication, "isr"),
		factory(module.Partitioner, "sticky"), factory(module.Partitioner, "crc32"),
		factory(module.Assignor, "range"), factory(module.Codec, "gzip"), factory(module.Codec, "zstd"),
	}
}

// check is both steps, with everything that is wrong.
func check(s Sources) ([]Choice, error) {
	s.File = "o.yaml"
	c, _ := Load(s)
	_, choices, err := Choose(c, testFactories())
	return choices, err
}

func TestLaterSourceWins(t *testing.T) {
	c, err := Load(Sources{
		File: "o.yaml", Text: []byte("num.partitions: 2\nnode.id: 5\nlog.dirs: [/a, /b]\nlog.level: debug\n"),
		Env: []string{"ODRADEK_NUM_PARTITIONS=3", "ODRADEK_NODE_ID=6", "HOME=/x"},
		Set: []string{"num.partitions=4"},
	})
	require.NoError(t, err)
	require.Equal(t, int32(4), c.Broker.NumPartitions)
	require.Equal(t, int32(6), c.Broker.NodeID)
	require.Equal(t, []string{"/a", "/b"}, c.Broker.LogDirs)
	sources := map[string]string{}
	for _, v := range c.Values(nil) {
		sources[v.Name] = v.Value + " from " + v.Source
	}
	require.Equal(t, "4 from -X num.partitions", sources["num.partitions"])
	require.Equal(t, "6 from env ODRADEK_NODE_ID", sources["node.id"])
	require.Equal(t, "/a,/b from o.yaml:3", sources["log.dirs"])
	require.Equal(t, "debug from o.yaml:4", sources["log.level"])
	require.Equal(t, "127.0.0.1:9292 from default", sources["admin.listener"])
}

func TestTextIsTakenAsWritten(t *testing.T) {
	c, err := Load(Sources{Text: []byte("node.id: 010\nauto.create.topics.enable: False\n")})
	require.NoError(t, err)
	require.Equal(t, int32(10), c.Broker.NodeID)
	require.False(t, c.Broker.AutoCreateTopics)
}

func TestKubernetesServiceLinksAreNoConfiguration(t *testing.T) {
	_, err := Load(Sources{Env: []string{
		"ODRADEK_SERVICE_HOST=10.0.0.1", "ODRADEK_PORT=tcp://10.0.0.1:9092", "ODRADEK_PORT_9092_TCP_ADDR=10.0.0.1",
		"ODRADEK_SERVICE_PORT_KAFKA=9092",
	}})
	require.NoError(t, err)
}

func TestNamesWithoutEffectAreListed(t *testing.T) {
	c, err := Load(Sources{Text: []byte("num.io.threads: 8\nprocess.roles: broker\nnode.id: 1\n")})
	require.NoError(t, err)
	require.Equal(t, []string{"num.io.threads", "process.roles"}, c.WithoutEffect)
	c, err = Load(Sources{Text: []byte("group.coordinator.rebalance.protocols: [classic, share]\n")})
	require.NoError(t, err)
	require.Equal(t, []string{"group.coordinator.rebalance.protocols (share)"}, c.WithoutEffect)
	c, err = Load(Sources{Text: []byte("group.coordinator.rebalance.protocols: classic\n")})
	require.NoError(t, err)
	require.Empty(t, c.WithoutEffect)
}

func choiceOf(t *testing.T, choices []Choice, id string) Choice {
	t.Helper()
	for _, c := range choices {
		if c.ID() == id {
			return c
		}
	}
	require.Failf(t, "not chosen", "%s", id)
	return Choice{}
}

func ids(choices []Choice) []string {
	out := make([]string, len(choices))
	for i, c := range choices {
		out[i] = c.ID()
	}
	return out
}

func TestValuesOfModules(t *testing.T) {
	c, err := Load(Sources{File: "o.yaml", Text: []byte("modules:\n  storage: {use: memory, low: 3}\n  codec:\n    - use: zstd\n      run: subprocess\n")})
	require.NoError(t, err)
	var lines []string
	for _, v := range c.Values(testFactories()) {
		if strings.HasPrefix(v.Name, "modules.storage") || strings.HasPrefix(v.Name, "modules.codec") || strings.HasPrefix(v.Name, "modules.assignor") {
			lines = append(lines, v.Name+" "+v.Value+" "+v.Source)
		}
	}
	require.Equal(t, []string{
		"modules.storage.use memory o.yaml:2",
		"modules.storage.batch.size 1 default", "modules.storage.high 10 default", "modules.storage.low 3 o.yaml:2",
		"modules.storage.run in-process default",
		"modules.assignor.use range default",
		"modules.assignor.range.batch.size 1 default", "modules.assignor.range.high 10 default", "modules.assignor.range.low 0 default",
		"modules.assignor.range.run in-process default",
		"modules.codec.use zstd o.yaml:3",
		"modules.codec.zstd.batch.size 1 default", "modules.codec.zstd.high 10 default", "modules.codec.zstd.low 0 default",
		"modules.codec.zstd.run subprocess o.yaml:5",
	}, lines)
}

func TestDefaultModules(t *testing.T) {
	choices, err := check(Sources{Text: []byte{}})
	require.NoError(t, err)
	require.Equal(t, []string{
		"storage/segment", "election/raft", "replication/isr", "partitioner/sticky", "partitioner/crc32",
		"assignor/range", "codec/gzip", "codec/zstd",
	}, ids(choices))
}

func TestModulesFromEverySource(t *testing.T) {
	choices, err := check(Sources{
		Text: []byte("modules:\n  storage: {use: segment, low: 5}\n  codec:\n    - use: gzip\n    - {use: zstd, run: subprocess, batch.size: 7}\n" +
			"  partitioner:\n    - {use: ours, exec: ./ours, args: [-v, 3], sha256: " + strings.Repeat("Ab", 32) + ", anything: 1}\n"),
		Env: []string{"ODRADEK_MODULES__STORAGE__USE=memory", "ODRADEK_MODULES__ASSIGNOR__RANGE__BATCH_SIZE=9"},
		Set: []string{"modules.codec.use=zstd", "modules.codec.zstd.high=20"},
	})
	require.NoError(t, err)
	require.Equal(t, []string{
		"storage/memory", "election/raft", "replication/isr", "partitioner/ours", "assignor/range", "codec/zstd",
	}, ids(choices))
	require.Empty(t, choiceOf(t, choices, "storage/memory").Settings, "what was set for segment is not meant for memory")
	require.Equal(t, map[string]any{"batch.size": "9"}, choiceOf(t, choices, "assignor/range").Settings)

	zstd := choiceOf(t, choices, "codec/zstd")
	require.Equal(t, Subprocess, zstd.Binding)
	require.Equal(t, map[string]any{"batch.size": 7, "high": "20"}, zstd.Settings)

	ours := choiceOf(t, choices, "partitioner/ours")
	require.Nil(t, ours.Factory)
	require.Equal(t, "./ours", ours.Exec)
	require.Equal(t, []string{"-v", "3"}, ours.Args)
	require.Equal(t, strings.Repeat("ab", 32), ours.SHA256)
	require.Equal(t, map[string]any{"anything": 1}, ours.Settings)
}

func TestOnlyModuleOfAKindIsItsDefault(t *testing.T) {
	c, err := Load(Sources{})
	require.NoError(t, err)
	_, choices, err := Choose(c, []module.Factory{
		factory(module.Storage, "memory"), factory(module.Election, "raft"), factory(module.Replication, "isr"),
	})
	require.NoError(t, err)
	require.Equal(t, []string{"storage/memory", "election/raft", "replication/isr"}, ids(choices))
}

func TestAssignorsOfGroupsAreThoseThatWereChosen(t *testing.T) {
	groupsMayAskFor := func(set string, names ...string) []string {
		s := Sources{}
		if set != "" {
			s.Set = []string{set}
		}
		c, err := Load(s)
		require.NoError(t, err)
		factories := []module.Factory{factory(module.Storage, "memory"), factory(module.Election, "raft"), factory(module.Replication, "isr")}
		for _, name := range names {
			factories = append(factories, factory(module.Assignor, name))
		}
		c, _, err = Choose(c, factories)
		require.NoError(t, err)
		return c.Broker.Groups.ConsumerAssignors
	}
	require.Equal(t, []string{"uniform", "range"}, groupsMayAskFor("", "range", "sticky", "uniform"))
	require.Equal(t, []string{"range"}, groupsMayAskFor("", "range", "sticky"))
	require.Equal(t, []string{"sticky"}, groupsMayAskFor("", "sticky"))
	require.Equal(t, []string{"sticky"}, groupsMayAskFor("group.consumer.assignors=sticky", "range", "sticky"))
}

func TestDistributionWithTwins(t *testing.T) {
	c, err := Load(Sources{})
	require.NoError(t, err)
	_, _, err = Choose(c, append(testFactories(), factory(module.Codec, "zstd")))
	require.EqualError(t, err, "distribution: module codec/zstd is listed twice")
}

func TestMissingFile(t *testing.T) {
	_, err := Load(Sources{File: "/nowhere/o.yaml"})
	require.ErrorContains(t, err, "/nowhere/o.yaml: cannot be read: no such file or directory")
}
