package topic

import (
	"fmt"

	"github.com/spf13/cobra"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type listing struct {
	cluster.AdminFlags
	internal bool
}

func listCommand() *cobra.Command {
	var l listing
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List topics",
		Args:  cobra.NoArgs,
		RunE:  l.run,
	}
	l.Bind(cmd)
	cmd.Flags().BoolVar(&l.internal, "internal", false, "also list topics that the broker keeps for itself")
	return cmd
}

type listed struct {
	Topic             string `json:"topic"`
	ID                string `json:"id"`
	Partitions        int    `json:"partitions"`
	ReplicationFactor int    `json:"replication_factor"`
}

func (l *listing) run(cmd *cobra.Command, _ []string) error {
	admin, err := l.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	list := admin.ListTopics
	if l.internal {
		list = admin.ListTopicsWithInternal
	}
	topics, err := list(cmd.Context())
	if err != nil {
		return fmt.Errorf("listing topics: %w", err)
	}
	document := []listed{}
	table := render.Table{Header: []string{"TOPIC", "PARTITIONS", "REPLICATION"}}
	for _, topic := range topics.Sorted() {
		entry := listed{topic.Topic, idText(topic.ID), len(topic.Partitions), topic.Partitions.NumReplicas()}
		document = append(document, entry)
		table.Add(entry.Topic, entry.Partitions, entry.ReplicationFactor)
	}
	return l.Output.Write(cmd.OutOrStdout(), map[string]any{"topics": document}, table)
}
