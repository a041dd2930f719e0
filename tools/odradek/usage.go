package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// withUsage has a command and those below it say what they take when they are
// called in a wrong way: cobra alone tells how many arguments there are, and
// answers an unknown subcommand with the help of its parent and success.
func withUsage(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath())
	})
	for _, below := range cmd.Commands() {
		withUsage(below)
	}
	if cmd.HasSubCommands() && cmd.HasParent() && !cmd.Runnable() {
		cmd.Args, cmd.RunE = cobra.ArbitraryArgs, unknownSubcommand
		return
	}
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return fmt.Errorf("%w; write `%s`", err, cmd.UseLine())
			}
			return nil
		}
	}
}

// unknownSubcommand runs a command that is only the parent of others.
func unknownSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var names []string
	for _, below := range cmd.Commands() {
		names = append(names, below.Name())
	}
	return fmt.Errorf("unknown command %q for `%s`, which has %s", args[0], cmd.CommandPath(), strings.Join(names, ", "))
}
