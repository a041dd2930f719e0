// Package partitionlist reads and writes lists of partitions as people write
// them: 0,2-5.
package partitionlist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Max bounds the numbers, so that a range stays a list.
const Max = 100_000

// Parse reads "0,2-5". The result is ascending, each partition once.
func Parse(text string) ([]int32, error) {
	var partitions []int32
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		first, err := strconv.ParseInt(low, 10, 32)
		last := first
		if err == nil && isRange {
			last, err = strconv.ParseInt(high, 10, 32)
		}
		if err != nil || first < 0 || last < first || last >= Max {
			return nil, fmt.Errorf("%q is not a list of partitions, as in 0,2-5", text)
		}
		for p := first; p <= last; p++ {
			partitions = append(partitions, int32(p))
		}
	}
	slices.Sort(partitions)
	return slices.Compact(partitions), nil
}

// Format writes ascending partitions as [Parse] reads them.
func Format(partitions []int32) string {
	var parts []string
	for i := 0; i < len(partitions); {
		last := i
		for last+1 < len(partitions) && partitions[last+1] == partitions[last]+1 {
			last++
		}
		if part := strconv.Itoa(int(partitions[i])); last == i {
			parts = append(parts, part)
		} else {
			parts = append(parts, part+"-"+strconv.Itoa(int(partitions[last])))
		}
		i = last + 1
	}
	return strings.Join(parts, ",")
}
