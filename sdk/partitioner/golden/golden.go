// Package golden has the partitions that other Kafka clients chose for the same
// keys, recorded from the clients themselves (testdata/README.md says how). A
// partitioner that promises to place keys as one of them proves it with
// partitionertest.Golden.
package golden

import (
	"embed"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Vector is one recorded choice.
type Vector struct {
	// Key is nil for a record without a key, which is not the empty key.
	Key []byte
	// Partitions is how many the topic had, and Partition the one chosen.
	Partitions, Partition int32
}

//go:embed testdata/*.tsv
var recorded embed.FS

// Java is the default partitioner of Kafka's Java producer, 4.4.0.
func Java() []Vector { return read("java-4.4.0") }

// Sarama is NewHashPartitioner of Sarama 1.61.1, its default.
func Sarama() []Vector { return read("sarama-1.61.1") }

// LibrdkafkaConsistent is `partitioner=consistent` of librdkafka 2.16.0.
func LibrdkafkaConsistent() []Vector { return read("librdkafka-2.16.0-consistent") }

// LibrdkafkaConsistentRandom is `partitioner=consistent_random` of librdkafka
// 2.16.0, its default, for the keys that it does not place by chance.
func LibrdkafkaConsistentRandom() []Vector { return read("librdkafka-2.16.0-consistent_random") }

// LibrdkafkaMurmur2 is `partitioner=murmur2` of librdkafka 2.16.0.
func LibrdkafkaMurmur2() []Vector { return read("librdkafka-2.16.0-murmur2") }

// LibrdkafkaMurmur2Random is `partitioner=murmur2_random` of librdkafka
// 2.16.0, for the keys that it does not place by chance.
func LibrdkafkaMurmur2Random() []Vector { return read("librdkafka-2.16.0-murmur2_random") }

// LibrdkafkaFNV1a is `partitioner=fnv1a` of librdkafka 2.16.0.
func LibrdkafkaFNV1a() []Vector { return read("librdkafka-2.16.0-fnv1a") }

// read panics on a file that does not parse: the files are part of the build,
// and the package's test reads them all.
func read(name string) []Vector {
	text, err := recorded.ReadFile("testdata/" + name + ".tsv")
	if err != nil {
		panic(err)
	}
	var vectors []Vector
	for line := range strings.Lines(string(text)) {
		vector, err := parse(strings.TrimSuffix(line, "\n"))
		if err != nil {
			panic(fmt.Sprintf("%s.tsv line %d: %v", name, len(vectors)+1, err))
		}
		vectors = append(vectors, vector)
	}
	return vectors
}

func parse(line string) (Vector, error) {
	columns := strings.Split(line, "\t")
	if len(columns) != 3 {
		return Vector{}, fmt.Errorf("%d columns, not key, partitions and partition", len(columns))
	}
	key, err := parseKey(columns[0])
	if err != nil {
		return Vector{}, err
	}
	partitions, err := strconv.ParseInt(columns[1], 10, 32)
	if err != nil {
		return Vector{}, err
	}
	partition, err := strconv.ParseInt(columns[2], 10, 32)
	return Vector{Key: key, Partitions: int32(partitions), Partition: int32(partition)}, err
}

func parseKey(column string) ([]byte, error) {
	if column == "null" {
		return nil, nil
	}
	text, err := strconv.Unquote(column)
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(text)
}
