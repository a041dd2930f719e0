package consumer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
)

func TestRegexThatIsShortAndHugeIsRefused(t *testing.T) {
	for _, regex := range []string{
		"(" + strings.Repeat("a?", 20) + "){1000}",
		"(" + strings.Repeat("a", 20) + "){1000,}",
		strings.Repeat("(a?b?c?){0,900}", 3),
	} {
		_, refused := compile(regex)
		require.NotNil(t, refused, regex)
		require.Equal(t, kerr.InvalidRegularExpression, refused.Kind, regex)
		require.Contains(t, refused.Message, "repetitions", regex)
	}
}

func TestRegexOfUsualSizeIsCompiled(t *testing.T) {
	names := make([]string, 100)
	for i := range names {
		names[i] = strings.Repeat("orders-", 5)
	}
	for _, regex := range []string{
		"",
		".*",
		`[a-zA-Z0-9._-]{1,249}`,
		`(team-[a-z]{1,20}\.){1,10}[0-9]{4}`,
		strings.Join(names, "|"),
	} {
		compiled, refused := compile(regex)
		require.Nil(t, refused, regex)
		require.NotNil(t, compiled, regex)
	}
}
