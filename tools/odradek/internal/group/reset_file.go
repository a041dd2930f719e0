package group

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// fileEntry is one offset of a file. Its group is empty if it is for whatever
// group is reset.
type fileEntry struct {
	group, topic string
	partition    int32
	offset       int64
}

// parseFile reads what `group reset -o json` writes, or lines of
// [GROUP,]TOPIC,PARTITION,OFFSET, as kafka-consumer-groups exports them.
func parseFile(content []byte) ([]fileEntry, error) {
	if trimmed := bytes.TrimSpace(content); bytes.HasPrefix(trimmed, []byte("{")) {
		return parsePlan(trimmed)
	}
	lines := csv.NewReader(bytes.NewReader(content))
	lines.FieldsPerRecord, lines.TrimLeadingSpace, lines.Comment = -1, true, '#'
	var entries []fileEntry
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
		entry, ok := parseFields(fields)
		if !ok {
			line, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("line %d is not [GROUP,]TOPIC,PARTITION,OFFSET", line)
		}
		entries = append(entries, entry)
	}
}

func parseFields(fields []string) (e fileEntry, ok bool) {
	if len(fields) == 4 {
		e.group, fields = fields[0], fields[1:]
	}
	if len(fields) != 3 {
		return e, false
	}
	partition, err := strconv.ParseInt(fields[1], 10, 32)
	offset, wrong := strconv.ParseInt(fields[2], 10, 64)
	e.topic, e.partition, e.offset = fields[0], int32(partition), offset
	return e, err == nil && wrong == nil && partition >= 0 && offset >= 0 && e.topic != ""
}

func parsePlan(content []byte) ([]fileEntry, error) {
	var plan struct {
		Partitions []move `json:"partitions"`
	}
	if err := json.Unmarshal(content, &plan); err != nil {
		return nil, fmt.Errorf("it is not what `odradek group reset -o json` writes: %w", err)
	}
	var entries []fileEntry
	for _, m := range plan.Partitions {
		entries = append(entries, fileEntry{m.Group, m.Topic, m.Partition, m.After})
	}
	return entries, nil
}
