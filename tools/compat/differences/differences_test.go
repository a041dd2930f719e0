package differences

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

const text = `
## A comment.

[Metadata .*]
# A reason.
a.*
b
[Fetch .*]
# Another.
c
`

func parsed(t *testing.T) List[*regexp.Regexp] {
	list, err := Parse(text, Whole)
	require.NoError(t, err)
	return list
}

func matches(what string) func(*regexp.Regexp) bool {
	return func(one *regexp.Regexp) bool { return one.MatchString(what) }
}

func TestAListIsOfWhatItsSectionsAreAbout(t *testing.T) {
	list := parsed(t)
	require.Len(t, list, 3)
	require.Equal(t, 10, list[2].Line)
	require.Empty(t, list.Of("a Metadata v1"))
	about := list.Of("Metadata v1")
	require.Len(t, about, 2)
	require.True(t, about.Allow(matches("ab")))
	require.False(t, about.Allow(matches("c")))
}

func TestWhatRanAndWasNotSeenIsToBeTakenOut(t *testing.T) {
	list := parsed(t)
	require.NoError(t, list.Unseen(), "nothing ran that could have shown them")
	list.Of("Metadata v1").Allow(matches("a"))
	require.EqualError(t, list.Unseen(), "differences.txt:7: take it out: ^(?s:b)$ does not happen any more")
	list.Of("Metadata v2").Allow(matches("b"))
	require.NoError(t, list.Unseen())
}

func TestAListNeedsReasons(t *testing.T) {
	for text, want := range map[string]string{
		"a":                        "differences.txt:1: want a regular expression in brackets",
		"# why\na":                 "differences.txt:2: want a regular expression in brackets",
		"[x]\na":                   "differences.txt:2: want",
		"[x]\n# why\na\n[y]\nb":    "differences.txt:5: want",
		"[x(]\n# why\na":           "differences.txt:1: error parsing regexp",
		"[x]\n# why\na\n\n## b\n(": "differences.txt:6: error parsing regexp",
	} {
		_, err := Parse(text, Whole)
		require.ErrorContains(t, err, want, text)
	}
}
