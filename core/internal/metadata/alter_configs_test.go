package metadata

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// alterConfigs runs the command configs of [TestTranscripts].
func (s *scenario) alterConfigs(t *testing.T, lines []string, replace bool) {
	var changes []ConfigChange
	for _, line := range lines {
		words := strings.Fields(line)
		kind, name, _ := strings.Cut(words[0], "/")
		change := ConfigChange{Resource: Resource{ResourceType(number(t, kind)), name}, Replace: replace}
		for _, word := range words[1:] {
			change.Operations = append(change.Operations, operationIn(t, word))
		}
		changes = append(changes, change)
	}
	records, failures := AlterConfigs(s.image, s.rules(), changes)
	for n, f := range failures {
		outcome := "done"
		if f != nil {
			outcome = fmt.Sprintf("error %d: %s", f.Code(), f.Message)
		}
		fmt.Fprintf(&s.out, "%s: %s\n", strings.Fields(lines[n])[0], outcome)
	}
	s.apply(t, records)
}

func operationIn(t *testing.T, word string) ConfigOperation {
	var o ConfigOperation
	if before, after, numbered := strings.Cut(word, ":"); numbered {
		o.Kind, word = OperationKind(number(t, before)), after
	}
	if name, deleted := strings.CutPrefix(word, "-"); deleted {
		return ConfigOperation{Name: name, Kind: DeleteConfig}
	}
	name, value, _ := strings.Cut(word, "=")
	if o.Value = &value; value == "null" {
		o.Value = nil
	}
	switch {
	case strings.HasSuffix(name, "+"):
		name, o.Kind = name[:len(name)-1], AppendConfig
	case strings.HasSuffix(name, "-"):
		name, o.Kind = name[:len(name)-1], SubtractConfig
	}
	o.Name = name
	return o
}

// testConfigRules know one list, and for brokers and client metrics any config
// but "forbidden".
func testConfigRules() ConfigRules {
	return ConfigRules{
		ListDefault: func(_ Resource, name string) (string, bool) { return "delete", name == "cleanup.policy" },
		Check: func(r Resource, _ map[string]string, changed []string) *refusal.Refusal {
			if slices.Contains(changed, "forbidden") {
				return refusal.New(kerr.InvalidRequest, "forbidden of %d/%s", r.Type, r.Name)
			}
			return nil
		},
		MinInSync: func(forAll map[string]string) int32 {
			n, err := strconv.ParseInt(forAll[minInSync], 10, 32)
			if err != nil {
				return 1
			}
			return int32(n)
		},
	}
}
