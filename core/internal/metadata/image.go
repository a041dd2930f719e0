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
	// nextProducerID is the first that is in no block that was handed out.
	nextProducerID int64
	// configs is what is set on what is no topic. It is copied when it changes.
	configs map[Resource]map[string]string
	// features are the levels that records put in force. It is copied when it
	// changes.
	features map[string]int16
	history  history
}

// Empty is the image before the first record.
func Empty() *Image {
	return &Image{byName: iradix.New[*Topic](), byID: iradix.New[*Topic](), confusable: iradix.New[string]()}
}

// Index is that of the last record that was applied, 0 for none.
func (i *Image) Index() int64 { return i.index }

// ClusterID is 22 characters of base64url, empty until a controller chose it.
func (i *Image) ClusterID() string { return i.clusterID }

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
