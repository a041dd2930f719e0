// Package topic is the command `odradek topic`.
package topic

import (
	"encoding/base64"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
)

// Command makes `topic` with its subcommands.
func Command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "topic",
		Short: "Create, list, describe and delete topics",
	}
	cmd.AddCommand(createCommand(), listCommand(), describeCommand(), deleteCommand())
	return cmd
}

// idText writes a topic's id as Kafka's own tools do.
func idText(id kadm.TopicID) string { return base64.RawURLEncoding.EncodeToString(id[:]) }
