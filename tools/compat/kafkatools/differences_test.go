package kafkatools

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/internal/kafkadist"
)

const listed = `
[describe .*]
# A reason.
kafka only here
odradek (size|weight) \d+
`

func TestCompareAllowsWhatIsListed(t *testing.T) {
	d, err := parseDifferences(listed)
	require.NoError(t, err)
	require.NoError(t, d.Unseen(), "no step ran that could have shown them")
	require.ErrorContains(t, d.compare("list", []string{"only here"}, nil), "only here")
	require.NoError(t, d.compare("describe it", []string{"a", "  only here", "b"}, []string{"a", "b"}))
	require.ErrorContains(t, d.Unseen(), "weight", "a line that no broker prints any more")
	require.NoError(t, d.compare("describe it", []string{"a"}, []string{"size 12", "a"}))
	require.NoError(t, d.Unseen())
	require.ErrorContains(t, d.compare("describe it", []string{"a", "a"}, []string{"a"}), "kafka   a")
	require.ErrorContains(t, d.compare("describe it", []string{"a", "b"}, []string{"b", "a"}), "another order")
}

func TestLinesSayWhoPrintsThem(t *testing.T) {
	for _, text := range []string{"somebody x", "kafka ("} {
		_, err := parseDifferences("[a]\n# why\n" + text)
		require.ErrorContains(t, err, "differences.txt:3:", text)
	}
}

func TestListedDifferencesAreForStepsThatExist(t *testing.T) {
	d, err := parseDifferences(differencesFile)
	require.NoError(t, err)
	names := map[string]bool{}
	for _, one := range steps {
		require.False(t, names[one.name], "two steps are named %q", one.name)
		names[one.name] = true
	}
	for _, one := range d.List {
		used := false
		for name := range names {
			used = used || one.About.MatchString(name)
		}
		require.True(t, used, "differences.txt:%d: no step is named like that", one.Line)
	}
}

func TestNormalise(t *testing.T) {
	result := kafkadist.Result{Exit: 1, Stdout: "Topic: a\tTopicId: eIeSWH1bSUap0OjEmUButQ\tx\n", Stderr: "failed at 127.0.0.1:9092 1795986931481 in /data/a-0\n\tat a.b.C.d(E.java:1)\n\t... 16 more\n"}
	require.Equal(t, []string{"exit status 1", "Topic: a\tTopicId: ID\tx", "failed at HOST:PORT TIME in LOGDIR/a-0"},
		normalise(result, side{dataDir: "/data"}, nil))
}
