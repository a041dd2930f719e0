package consume

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"odradek.dev/tools/odradek/internal/moment"
)

// position is where --from says to begin, before the broker was asked what
// that is in offsets.
type position struct {
	kind positionKind
	// offset is for exact; records for tail; unixMs for timestamp.
	offset, records, unixMs int64
}

type positionKind uint8

const (
	beginning positionKind = iota
	end
	exact
	// tail is a number of records before the end.
	tail
	timestamp
)

// parsePosition reads the value of --from. now is what a relative time counts
// from.
func parsePosition(text string, now time.Time) (position, error) {
	switch text {
	case "beginning":
		return position{kind: beginning}, nil
	case "end":
		return position{kind: end}, nil
	}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		if strings.HasPrefix(text, "-") {
			return position{kind: tail, records: -number}, nil
		}
		return position{kind: exact, offset: number}, nil
	}
	if at, ok := moment.Parse(text, now); ok {
		return position{kind: timestamp, unixMs: at}, nil
	}
	return position{}, fmt.Errorf("--from %q is none of: beginning, end, an offset (42), records before the end (-10), %s", text, moment.Forms)
}

// span is what to read of one partition: [from, until).
type span struct{ from, until int64 }

// spans asks the broker where each partition begins and ends now, and resolves
// the position in it.
func (p position) spans(ctx context.Context, admin *kadm.Client, topic string, partitions []int32) (map[int32]span, error) {
	starts, err := offsetsOf(admin.ListStartOffsets(ctx, topic))
	if err != nil {
		return nil, err
	}
	ends, err := offsetsOf(admin.ListEndOffsets(ctx, topic))
	if err != nil {
		return nil, err
	}
	var times kadm.ListedOffsets
	if p.kind == timestamp {
		if times, err = offsetsOf(admin.ListOffsetsAfterMilli(ctx, p.unixMs, topic)); err != nil {
			return nil, err
		}
	}
	resolved := make(map[int32]span, len(partitions))
	for _, partition := range partitions {
		first, last := offset(starts, topic, partition), offset(ends, topic, partition)
		from := first
		switch p.kind {
		case end:
			from = last
		case exact:
			from = p.offset
		case tail:
			from = max(first, last-p.records)
		case timestamp:
			from = offset(times, topic, partition)
		}
		if from < first || from > last {
			return nil, fmt.Errorf("partition %d of topic %q has offsets %d to %d; --from %d is outside", partition, topic, first, last, from)
		}
		resolved[partition] = span{from, last}
	}
	return resolved, nil
}

func offsetsOf(offsets kadm.ListedOffsets, err error) (kadm.ListedOffsets, error) {
	if err == nil {
		err = offsets.Error()
	}
	if err != nil {
		return nil, fmt.Errorf("asking for offsets: %w", err)
	}
	return offsets, nil
}

func offset(offsets kadm.ListedOffsets, topic string, partition int32) int64 {
	found, _ := offsets.Lookup(topic, partition)
	return found.Offset
}
