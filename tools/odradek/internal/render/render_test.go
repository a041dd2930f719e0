package render

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	table := Table{Header: []string{"TOPIC", "PARTITIONS"}}
	table.Add("orders", 12)
	table.Add("a-much-longer-name", 3)
	document := map[string]int{"orders": 12}

	var text, structured strings.Builder
	require.NoError(t, Text.Write(&text, document, table))
	require.NoError(t, JSON.Write(&structured, document, table))
	require.Equal(t, "TOPIC               PARTITIONS\norders              12\na-much-longer-name  3\n", text.String())
	require.Equal(t, "{\n  \"orders\": 12\n}\n", structured.String())
}

func TestATableIsLinesOfText(t *testing.T) {
	table := Table{}
	table.Add("one\ntwo", "\x1b[31mred", "\xff", "Grüße \"x\"")
	var text strings.Builder
	require.NoError(t, table.Write(&text))
	require.Equal(t, `"one\ntwo"  "\x1b[31mred"  "\xff"  Grüße "x"`+"\n", text.String())
}

func TestOutputFlag(t *testing.T) {
	parse := func(args ...string) (Format, error) {
		var format Format
		cmd := &cobra.Command{Use: "x", RunE: func(*cobra.Command, []string) error { return nil }}
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		format.Bind(cmd)
		cmd.SetArgs(args)
		err := cmd.Execute()
		return format, err
	}
	format, err := parse()
	require.NoError(t, err)
	require.Equal(t, Text, format)

	format, err = parse("-o", "json")
	require.NoError(t, err)
	require.Equal(t, JSON, format)

	_, err = parse("-o", "yaml")
	require.ErrorContains(t, err, "text or json")
}
