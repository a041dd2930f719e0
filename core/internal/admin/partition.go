package admin

import (
	"net/http"
	"slices"
	"strings"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/record"
)

// maxAskedPartitions bounds the partitions of a topic that is only asked about.
const maxAskedPartitions = 1_000_000

type partitionRequest struct {
	Partitioner string `json:"partitioner"`
	Topic       string `json:"topic"`
	// Partitions stands in for the topic's own; 0 for those of the topic,
	// which then has to be there.
	Partitions int32 `json:"partitions"`
	// Keys are base64; null for a record without a key.
	Keys [][]byte `json:"keys"`
	// Sizes has one for each key, or none.
	Sizes []int32 `json:"sizes"`
}

type partitionResponse struct {
	Partitions []int32 `json:"partitions"`
	Fallback   bool    `json:"fallback"`
}

func (h handlers) partition(w http.ResponseWriter, r *http.Request) {
	var q partitionRequest
	if !read(w, r, &q) {
		return
	}
	p, ok := h.Modules.Partitioner(q.Partitioner)
	if !ok {
		h.noModule(w, module.Partitioner, q.Partitioner)
		return
	}
	batch, ok := h.batch(w, q)
	if !ok {
		return
	}
	partitions, fallback, err := p.Assign(r.Context(), batch)
	if err != nil {
		refuse(w, http.StatusBadGateway, "partitioner %s failed, and there is no fallback: %v", q.Partitioner, err)
		return
	}
	answer(w, http.StatusOK, partitionResponse{Partitions: append([]int32{}, partitions...), Fallback: fallback})
}

// batch is what is asked of the partitioner. If it cannot be asked, it has
// answered, and ok is false.
func (h handlers) batch(w http.ResponseWriter, q partitionRequest) (batch partitioner.Batch, ok bool) {
	topic := partitioner.Topic{Name: q.Topic, Partitions: q.Partitions}
	switch {
	case q.Partitions < 0 || q.Partitions > maxAskedPartitions:
		refuse(w, http.StatusBadRequest, "partitions: %d is not allowed; it must be from 1 to %d, or 0 for those of the topic", q.Partitions, maxAskedPartitions)
		return batch, false
	case len(q.Sizes) != 0 && len(q.Sizes) != len(q.Keys):
		refuse(w, http.StatusBadRequest, "sizes: has %d for %d keys; give one for each, or none", len(q.Sizes), len(q.Keys))
		return batch, false
	case slices.ContainsFunc(q.Sizes, func(size int32) bool { return size < 0 }):
		refuse(w, http.StatusBadRequest, "sizes: %d is not allowed; it must be at least 0", slices.Min(q.Sizes))
		return batch, false
	case q.Partitions == 0:
		if topic, ok = h.Topic(q.Topic); !ok {
			refuse(w, http.StatusNotFound, "topic: there is no topic %q; create it, or give partitions", q.Topic)
			return batch, false
		}
	}
	batch = partitioner.Batch{Topic: topic, Keys: record.Blobs{}, Sizes: q.Sizes}
	for _, key := range q.Keys {
		batch.Keys.Append(key)
		if len(q.Sizes) == 0 {
			batch.Sizes = append(batch.Sizes, int32(len(key)))
		}
	}
	return batch, true
}

func (h handlers) noModule(w http.ResponseWriter, kind module.Kind, name string) {
	names := h.Modules.Names(kind)
	refuse(w, http.StatusNotFound, "%s: there is no %s %q; this broker has %s%s", kind, kind, name,
		strings.Join(names, ", "), config.DidYouMean(config.Nearest(name, slices.Values(names))))
}
