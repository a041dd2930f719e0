// Package render writes what a command found: a table for people, JSON for
// programs.
package render

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// Format is the value of -o. It is a pflag.Value, so that a wrong one is
// refused while the command line is read.
type Format string

// The formats.
const (
	Text Format = "text"
	JSON Format = "json"
)

// Bind adds -o to the command.
func (f *Format) Bind(cmd *cobra.Command) {
	*f = Text
	cmd.Flags().VarP(f, "output", "o", "how to write the answer: text or json")
}

func (f *Format) String() string { return string(*f) }

// Set takes the value of the flag.
func (f *Format) Set(value string) error {
	switch Format(value) {
	case Text, JSON:
		*f = Format(value)
		return nil
	}
	return fmt.Errorf("is text or json")
}

// Type is the placeholder in the help text.
func (f *Format) Type() string { return "text|json" }

// Write writes document as JSON, or the table if f is [Text]. The JSON form of
// a command is stable: fields are added, never renamed.
func (f Format) Write(w io.Writer, document any, table Table) error {
	if f == JSON {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(document)
	}
	return table.Write(w)
}

// Table is rows under a header, aligned by spaces.
type Table struct {
	Header []string
	Rows   [][]string
}

// Add appends a row; each cell is printed as fmt.Sprint does.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = fmt.Sprint(cell)
	}
	t.Rows = append(t.Rows, row)
}

// Write writes the table as text. A cell that a terminal would take for more than
// text is quoted: names of groups and members are whatever a client says.
func (t Table) Write(w io.Writer) error {
	aligned := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(t.Header) > 0 {
		fmt.Fprintln(aligned, strings.Join(t.Header, "\t"))
	}
	for _, row := range t.Rows {
		shown := make([]string, len(row))
		for i, cell := range row {
			shown[i] = printable(cell)
		}
		fmt.Fprintln(aligned, strings.Join(shown, "\t"))
	}
	return aligned.Flush()
}

func printable(text string) string {
	odd := func(r rune) bool { return !strconv.IsPrint(r) }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, odd) {
		return text
	}
	return strconv.Quote(text)
}
