package segment

import (
	"fmt"
	"strconv"
	"strings"

	"odradek.dev/sdk/storage"
)

// The names in a directory of log.dirs.
const (
	lockFile           = ".lock"
	propertiesFile     = "meta.properties"
	cleanShutdownFile  = ".kafka_cleanshutdown"
	recoveryPointsFile = "recovery-point-offset-checkpoint"
	startOffsetsFile   = "log-start-offset-checkpoint"
	cleanerOffsetsFile = "cleaner-offset-checkpoint"
	watermarksFile     = "replication-offset-checkpoint"
)

// The names in a partition's folder. The last two are ours; Kafka passes over
// names that it does not know.
const (
	logSuffix       = ".log"
	indexSuffix     = ".index"
	timeIndexSuffix = ".timeindex"
	snapshotSuffix  = ".snapshot"
	deletedSuffix   = ".deleted"
	temporarySuffix = ".tmp"
	cleanedSuffix   = ".cleaned"
	swapSuffix      = ".swap"

	metadataFile = "partition.metadata"
	epochsFile   = "leader-epoch-checkpoint"
	hardFile     = "odradek.hard-state"
	damageFile   = "odradek.damage"
)

// The ends of the names that a partition's folder has while it is deleted, and
// once it is set aside. Both are Kafka's.
const (
	removedSuffix = "-delete"
	straySuffix   = "-stray"
)

// unusableSuffix ends the name of what stood in the place of a file and is none
// that can be read and written, such as a folder with something in it.
const unusableSuffix = ".unusable"

// maxNameBytes is what file systems allow.
const maxNameBytes = 255

// partition names a log within a directory, as the checkpoints do.
type partition struct {
	topic  string
	number int32
}

func partitionOf(id storage.ID) partition { return partition{id.Topic, id.Partition} }

func (p partition) String() string { return p.topic + "-" + strconv.Itoa(int(p.number)) }

// parsePartition reads the name of a partition's folder. Topics may hold
// dashes; the last one parts them from the number.
func parsePartition(name string) (partition, bool) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 1 {
		return partition{}, false
	}
	number, err := strconv.ParseInt(name[dash+1:], 10, 32)
	p := partition{name[:dash], int32(number)}
	return p, err == nil && number >= 0 && p.String() == name
}

// awayName is a name for p's folder under which it is no log any more.
func awayName(p partition, unique [16]byte, suffix string) string {
	tail := fmt.Sprintf("-%d.%x%s", p.number, unique, suffix)
	topic := p.topic
	if len(topic)+len(tail) > maxNameBytes {
		topic = topic[:maxNameBytes-len(tail)]
	}
	return topic + tail
}

// offsetName is the name of a file that begins with an offset.
func offsetName(offset int64, suffix string) string { return fmt.Sprintf("%020d%s", offset, suffix) }

func parseOffsetName(name, suffix string) (int64, bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	if !ok || len(digits) != 20 {
		return 0, false
	}
	offset, err := strconv.ParseInt(digits, 10, 64)
	return offset, err == nil && offset >= 0
}
