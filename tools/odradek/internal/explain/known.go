package explain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"odradek.dev/sdk/assignor"

	"odradek.dev/tools/odradek/internal/partitionlist"
)

// known is what an assignor may know of a group besides who subscribes to what.
type known struct{ racks, userData, replicas, lags []string }

func (k *known) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&k.racks, "rack", nil, "ID=RACK, a member's client.rack; may be repeated")
	flags.StringArrayVar(&k.userData, "user-data", nil, "ID=TEXT, what a member says of itself; may be repeated")
	flags.StringArrayVar(&k.replicas, "replicas", nil, "TOPIC:PARTITIONS=RACK,..., where partitions have replicas; may be repeated")
	flags.StringArrayVar(&k.lags, "lag", nil, "TOPIC:PARTITIONS=RECORDS that wait in each; may be repeated")
}

// addTo tells the group all of it.
func (k *known) addTo(snapshot *assignor.Snapshot) error {
	for _, text := range k.racks {
		member, rack, err := memberIn(snapshot, "rack", text)
		if err != nil {
			return err
		}
		member.Rack = rack
	}
	for _, text := range k.userData {
		member, data, err := memberIn(snapshot, "user-data", text)
		if err != nil {
			return err
		}
		member.UserData = []byte(data)
	}
	for _, text := range k.replicas {
		if err := addReplicas(snapshot, text); err != nil {
			return err
		}
	}
	for _, text := range k.lags {
		if err := addLag(snapshot, text); err != nil {
			return err
		}
	}
	return nil
}

// memberIn reads ID=VALUE.
func memberIn(snapshot *assignor.Snapshot, flag, text string) (*assignor.Member, string, error) {
	id, value, ok := strings.Cut(text, "=")
	if !ok || id == "" {
		return nil, "", fmt.Errorf("--%s %q is not ID=VALUE, as in a=%s-1", flag, text, flag)
	}
	member, err := memberNamed(snapshot.Members, id, flag, text)
	return member, value, err
}

func addReplicas(snapshot *assignor.Snapshot, text string) error {
	topic, partitions, value, err := partitionsIn(snapshot, text)
	if err != nil {
		return fmt.Errorf("--replicas %q %w", text, err)
	}
	if topic.Racks == nil {
		topic.Racks = make([][]string, topic.Partitions)
	}
	for _, p := range partitions {
		topic.Racks[p] = strings.Split(value, ",")
	}
	return nil
}

func addLag(snapshot *assignor.Snapshot, text string) error {
	topic, partitions, value, err := partitionsIn(snapshot, text)
	if err != nil {
		return fmt.Errorf("--lag %q %w", text, err)
	}
	records, err := strconv.ParseInt(value, 10, 64)
	if err != nil || records < 0 {
		return fmt.Errorf("--lag %q does not end in a number of records, as orders:0,2-5=100 does", text)
	}
	if topic.Lags == nil {
		topic.Lags = slices.Repeat([]int64{-1}, int(topic.Partitions))
	}
	for _, p := range partitions {
		topic.Lags[p] = records
	}
	return nil
}

// partitionsIn reads TOPIC:PARTITIONS=VALUE.
func partitionsIn(snapshot *assignor.Snapshot, text string) (*assignor.Topic, []int32, string, error) {
	what, value, _ := strings.Cut(text, "=")
	name, list, _ := strings.Cut(what, ":")
	partitions, err := partitionlist.Parse(list)
	if err != nil || name == "" || value == "" {
		return nil, nil, "", errors.New("is not TOPIC:PARTITIONS=VALUE, where partitions are written as in orders:0,2-5")
	}
	at := slices.IndexFunc(snapshot.Topics, func(t assignor.Topic) bool { return t.Name == name })
	if at < 0 {
		return nil, nil, "", fmt.Errorf("is about topic %q, which no --topic describes", name)
	}
	topic := &snapshot.Topics[at]
	if last := slices.Max(partitions); last >= topic.Partitions {
		return nil, nil, "", fmt.Errorf("is about partition %d of topic %s, which has %d", last, name, topic.Partitions)
	}
	return topic, partitions, value, nil
}
