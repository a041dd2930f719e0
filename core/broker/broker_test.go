package broker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/broker"
)

// A configuration is read and checked; everything that is wrong is reported
// with its place.
func ExampleLoad() {
	_, err := broker.Load(broker.Sources{
		File: "broker.yaml",
		Text: []byte("num.partitons: 6\nmessage.max.bytes: lots\n"),
		Set:  []string{"fetch.max.bytes=1"},
	})
	fmt.Println(err)
	// Output:
	// broker.yaml:1: num.partitons: unknown broker config; did you mean "num.partitions"?
	// broker.yaml:2: message.max.bytes: "lots" is not allowed; it must be a whole number from 0 to 2147483647
	// -X fetch.max.bytes: fetch.max.bytes: "1" is not allowed; it must be a whole number from 1024 to 2147483647
}

func ExampleConfig_Values() {
	config, err := broker.Load(broker.Sources{
		File: "broker.yaml",
		Text: []byte("num.partitions: 6\nmodules:\n  storage: {use: memory}\n"),
		Env:  []string{"ODRADEK_NODE_ID=7"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range config.Values() {
		if v.Source != "default" {
			fmt.Println(v.Name, v.Value, v.Source)
		}
	}
	// Output:
	// node.id 7 env ODRADEK_NODE_ID
	// num.partitions 6 broker.yaml:1
	// modules.storage.use memory broker.yaml:3
}

func TestBrokerWithoutModulesSaysWhatIsMissing(t *testing.T) {
	config, err := broker.Load(broker.Sources{})
	require.NoError(t, err)
	err = broker.Validate(config)
	require.ErrorContains(t, err, `modules.storage: no module "segment" in this distribution, which has none of that kind`)
	require.ErrorContains(t, err, `modules.election: no module "raft" in this distribution`)
}

func TestValidateReportsWhatLoadDidToo(t *testing.T) {
	config, _ := broker.Load(broker.Sources{File: "b.yaml", Text: []byte("node.id: x\n")})
	err := broker.Validate(config)
	require.ErrorContains(t, err, "b.yaml:1: node.id")
	require.ErrorContains(t, err, "modules.storage")
}
