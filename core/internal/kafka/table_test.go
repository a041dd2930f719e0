package kafka

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// decodedByHand are the keys whose requests need no shape.
var decodedByHand = []int16{0, 1}

func TestRowsAgreeWithTheProtocol(t *testing.T) {
	last := int16(-1)
	for _, a := range newTable().rows {
		q := kmsg.RequestForKey(a.key)
		require.NotNil(t, q, "key %d", a.key)
		require.Greater(t, a.key, last, "%s stands before a smaller key", a.name)
		last = a.key
		require.True(t, strings.EqualFold(kmsg.NameForKey(a.key), a.name), "key %d is not %s", a.key, a.name)
		require.LessOrEqual(t, a.min, a.max, a.name)
		require.LessOrEqual(t, a.max, q.MaxVersion(), a.name)
		for version := range q.MaxVersion() + 1 {
			q.SetVersion(version)
			require.Equal(t, q.IsFlexible(), a.flexible(version), "%s version %d", a.name, version)
		}
		require.Equal(t, slices.Contains(decodedByHand, a.key), a.shape == nil, "%s has a shape or decodes by hand", a.name)
	}
}

// Produce alone is advertised from a version that is not served.
func TestAdvertisedVersions(t *testing.T) {
	for _, key := range advertised(newTable().rows...) {
		a := newTable().find(key.ApiKey)
		require.Equal(t, a.max, key.MaxVersion, a.name)
		if a.key == 0 {
			require.Zero(t, key.MinVersion)
			continue
		}
		require.Equal(t, a.min, key.MinVersion, a.name)
	}
}

var inner = regexp.MustCompile(`([a-z])([A-Z])`)

// A key lives in NN_name.go, the file where its row is made, and no file is
// left of a key that is not served.
func TestAKeyHasOneFile(t *testing.T) {
	files, err := filepath.Glob("[0-9]*_*.go")
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(file string) bool {
		return strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "_wire.go")
	})
	var served []string
	for _, a := range newTable().rows {
		file := fmt.Sprintf("%02d_%s.go", a.key, strings.ToLower(inner.ReplaceAllString(a.name, "${1}_${2}")))
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Regexp(t, `(?i)\nfunc `+a.name+`API\(`, string(text), file)
		served = append(served, file)
	}
	require.ElementsMatch(t, served, files)
}
