package choice

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

func TestFlagsThatTakeFewNames(t *testing.T) {
	for _, test := range []struct {
		args    []string
		one     string
		several []string
		fails   string
	}{
		{nil, "a", nil, ""},
		{[]string{"--one", "B", "--several", "second"}, "b", []string{"Second"}, ""},
		{[]string{"--several", "third, FIRST", "--several", "second"}, "a", []string{"Third", "First", "Second"}, ""},
		{[]string{"--one", "c"}, "", nil, `invalid argument "c" for "--one" flag: "c" is none of a, b`},
		{[]string{"--one", ""}, "", nil, `invalid argument "" for "--one" flag: "" is none of a, b`},
		{[]string{"--several", "First,Foo"}, "", nil, `invalid argument "First,Foo" for "--several" flag: "Foo" is none of First, Second, Third`},
		{[]string{"--several", ""}, "", nil, `invalid argument "" for "--several" flag: "" is none of First, Second, Third`},
	} {
		one, several := NewOne("a", "b"), NewSeveral("First", "Second", "Third")
		flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
		flags.Var(&one, "one", "")
		flags.Var(&several, "several", "")
		err := flags.Parse(test.args)
		if test.fails != "" {
			require.EqualError(t, err, test.fails)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, test.one, one.Chosen)
		require.Equal(t, test.several, several.Chosen)
	}
}
