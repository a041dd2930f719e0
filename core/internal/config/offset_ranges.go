package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Offsets is a run of offsets of one partition, with both ends.
type Offsets struct {
	Partition   int32
	First, Last int64
}

// String is as in a configuration: 12:500-503.
func (o Offsets) String() string { return fmt.Sprintf("%d:%d-%d", o.Partition, o.First, o.Last) }

// Holds reports whether all of p is in o.
func (o Offsets) Holds(p Offsets) bool {
	return o.Partition == p.Partition && o.First <= p.First && p.Last <= o.Last
}

func offsetRanges() syntax[[]Offsets] {
	return syntax[[]Offsets]{List, "a list of PARTITION:FIRST-LAST, with offsets", func(text string) ([]Offsets, bool) {
		var ranges []Offsets
		for _, item := range splitList(text) {
			o, ok := parseOffsets(item)
			if !ok {
				return nil, false
			}
			ranges = append(ranges, o)
		}
		return ranges, true
	}}
}

func parseOffsets(text string) (o Offsets, ok bool) {
	partition, offsets, _ := strings.Cut(text, ":")
	first, last, _ := strings.Cut(offsets, "-")
	var errs [3]error
	var number int64
	number, errs[0] = strconv.ParseInt(partition, 10, 32)
	o.First, errs[1] = strconv.ParseInt(first, 10, 64)
	o.Last, errs[2] = strconv.ParseInt(last, 10, 64)
	o.Partition = int32(number)
	return o, errs == [3]error{} && number >= 0 && o.First >= 0 && o.First <= o.Last && o.Last < math.MaxInt64
}
