package metadata

import (
	"fmt"
	"strings"
	"testing"
)

// updateFeatures asks for all the lines at once, each NAME LEVEL and the number
// of the kind.
func (s *scenario) updateFeatures(t *testing.T, lines []string) {
	var updates []FeatureUpdate
	for _, line := range lines {
		words := strings.Fields(line)
		updates = append(updates, FeatureUpdate{Name: words[0], Level: int16(number(t, words[1])), Kind: FeatureUpdateKind(number(t, words[2]))})
	}
	records, refused := UpdateFeatures(s.image, updates)
	if refused != nil {
		fmt.Fprintf(&s.out, "error %d: %s\n", refused.Code(), refused.Message)
	}
	s.apply(t, records)
	for _, f := range Features() {
		if level := s.image.FeatureLevel(f.Name); level > 0 || f.Max > 0 {
			fmt.Fprintf(&s.out, "%s is %d\n", f.Name, level)
		}
	}
}
