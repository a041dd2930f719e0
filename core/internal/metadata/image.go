// Package metadata is the cluster's metadata as pure values: records, the image
// that they lead to, and the plans that turn a request into records.
//
// A plan reads an [Image] and returns records; the controller appends them to
// the metadata log; [Apply] turns the image and one committed record into the
// next image. Every broker applies the same records in the same order and so
// holds the same image. Nothing here reads a clock, draws a random number or
// touches a disk: what a plan needs of these is an argument.
package metadata

import (
	"iter"

	iradix "github.com/hashicorp/go-immutable-radix/v2"
)

// Image is the metadata after a prefix of the log. It does not change: applying
// a record makes another, which shares with it all that stayed the same. Safe
// for concurrent use.
type Image struct {
	// index is that of the last record that was applied.
	index     int64
	clusterID string
	// brokers ascend by ID.
	brokers []Broker
	// byName and byID hold the same topics.
	byName, byID *iradix.Tree[*Topic]
	// confusable has, of the topics with '.' or '_' in their names, the names
	// by what they look like in a metric; see [looksLike].
	confusable *iradix.Tree[string]
	// partitions is the sum over all topics.
	partitions int
	// nextProducerID is the first that is in no block that was handed out.
	nextProducerID int64
}

// Empty is the image before the first record.
func Empty() *Image {
	return &Image{byName: iradix.New[*Topic](), byID: iradix.New[*Topic](), confusable: iradix.New[string]()}
}

// Index is that of the last record that was applied, 0 for none.
func (i *Image) Index() int64 { return i.index }

// ClusterID is 22 characters of base64url, empty until a controller chose it.
func (i *Image) ClusterID() string { return i.clusterID }

// NextProducerID is the first producer id that is in no block yet.
func (i *Image) NextProducerID() int64 { return i.nextProducerID }

// Topic finds a topic by its name.
func (i *Image) Topic(name string) (*Topic, bool) { return i.byName.Get([]byte(name)) }

// TopicByID finds a topic by its id.
func (i *Image) TopicByID(id TopicID) (*Topic, bool) { return i.byID.Get(id[:]) }

// Topics walks all topics, ascending by name.
func (i *Image) Topics() iter.Seq[*Topic] {
	return func(yield func(*Topic) bool) {
		topics := i.byName.Root().Iterator()
		for _, topic, ok := topics.Next(); ok; _, topic, ok = topics.Next() {
			if !yield(topic) {
				return
			}
		}
	}
}

// TopicCount is how many topics there are.
func (i *Image) TopicCount() int { return i.byName.Len() }

// PartitionCount is how many partitions all topics have together.
func (i *Image) PartitionCount() int { return i.partitions }

// Brokers returns the registered brokers, ascending by id. The slice must not
// be modified.
func (i *Image) Brokers() []Broker { return i.brokers }

// Broker finds a registered broker.
func (i *Image) Broker(id int32) (Broker, bool) {
	for _, b := range i.brokers {
		if b.ID == id {
			return b, true
		}
	}
	return Broker{}, false
}
