package segment

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A checkpoint is Kafka's text of version 0: a line "0", a line with the
// number of entries, and an entry a line whose fields are parted by spaces.

func encodeCheckpoint(lines []string) []byte {
	return []byte("0\n" + strconv.Itoa(len(lines)) + "\n" + strings.Join(append(lines, ""), "\n"))
}

// decodeCheckpoint returns the fields of each entry. An empty file has none.
// What is refused costs little more than the entries before it.
func decodeCheckpoint(content []byte, fields int) ([][]string, error) {
	if len(content) == 0 {
		return nil, nil
	}
	version, rest, _ := strings.Cut(strings.TrimSuffix(string(content), "\n"), "\n")
	if strings.TrimSpace(version) != "0" {
		return nil, fmt.Errorf("checkpoint has version %.20q, want 0", version)
	}
	if rest == "" {
		return nil, fmt.Errorf("checkpoint ends before the number of entries")
	}
	claimed, rest, more := strings.Cut(rest, "\n")
	there := 0
	if more {
		there = 1 + strings.Count(rest, "\n")
	}
	count, err := strconv.Atoi(strings.TrimSpace(claimed))
	if err != nil || count != there {
		return nil, fmt.Errorf("checkpoint says %.20q entries and has %d", claimed, there)
	}
	var entries [][]string
	for line := range strings.Lines(rest) {
		entry := strings.Fields(line)
		if len(entry) != fields {
			return nil, fmt.Errorf("checkpoint entry %.200q does not have %d fields", line, fields)
		}
		entries = append(entries, entry)
	}
	if len(entries) != count {
		return nil, fmt.Errorf("checkpoint ends with an empty entry")
	}
	return entries, nil
}

// offsets is the content of a checkpoint of one offset for each partition.
type offsets map[partition]int64

func (o offsets) encode() []byte {
	order := slices.SortedFunc(maps.Keys(o), func(a, b partition) int {
		if c := strings.Compare(a.topic, b.topic); c != 0 {
			return c
		}
		return int(a.number) - int(b.number)
	})
	lines := make([]string, len(order), len(order)+1)
	for i, p := range order {
		lines[i] = fmt.Sprintf("%s %d %d", p.topic, p.number, o[p])
	}
	return encodeCheckpoint(lines)
}

func decodeOffsets(content []byte) (offsets, error) {
	entries, err := decodeCheckpoint(content, 3)
	if err != nil {
		return nil, err
	}
	o := make(offsets, len(entries))
	for _, e := range entries {
		number, err := strconv.ParseInt(e[1], 10, 32)
		if err != nil {
			return nil, fmt.Errorf("checkpoint entry %q: %w", e, err)
		}
		offset, err := strconv.ParseInt(e[2], 10, 64)
		if err != nil || number < 0 || offset < 0 {
			return nil, fmt.Errorf("checkpoint entry %q is not a topic, a partition and an offset", e)
		}
		o[partition{e[0], int32(number)}] = offset
	}
	return o, nil
}

// integers parses the fields of an entry that are all numbers.
func integers(fields []string) ([]int64, error) {
	out := make([]int64, len(fields))
	for i, field := range fields {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("checkpoint entry %q: %w", fields, err)
		}
		out[i] = n
	}
	return out, nil
}
