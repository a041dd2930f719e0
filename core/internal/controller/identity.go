package controller

import (
	"fmt"
	"io"

	"odradek.dev/core/internal/metadata"
)

// randomID draws a random UUID (RFC 9562, version 4). It draws again when the
// text of the id would begin with a dash, which command lines take for an
// option.
func randomID(random io.Reader) (metadata.TopicID, error) {
	for {
		var id metadata.TopicID
		if _, err := io.ReadFull(random, id[:]); err != nil {
			return id, fmt.Errorf("no random bytes for an id: %w", err)
		}
		id[6] = id[6]&0x0f | 0x40
		id[8] = id[8]&0x3f | 0x80
		if id.String()[0] != '-' {
			return id, nil
		}
	}
}
