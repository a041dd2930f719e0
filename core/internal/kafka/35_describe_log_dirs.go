package kafka

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/partition"
)

// describeLogDirsAPI is DescribeLogDirs.
//
//	v2 flexible
//	v3 an error for the whole
//	v4 size and free space of the volume (KIP-827)
//	v5 whether the directory takes no more partitions (KIP-1066); none is so
//
// Every directory of log.dirs is answered, with those of its partitions that
// were asked for: all if the list is null. What is not here is left out. One
// that has failed is answered with that alone.
func describeLogDirsAPI() *api {
	return decoded(api{key: 35, name: "DescribeLogDirs", min: 1, max: 5, flexibleFrom: 2}, describeLogDirs,
		`topics:[name:string partitions:[int32]]?`)
}

func describeLogDirs(_ context.Context, b *Backend, _ *Caller, q *kmsg.DescribeLogDirsRequest) *kmsg.DescribeLogDirsResponse {
	response := kmsg.NewPtrDescribeLogDirsResponse()
	wanted := b.logsWanted(q.Topics)
	for _, path := range b.Config.LogDirs {
		dir := kmsg.NewDescribeLogDirsResponseDir()
		dir.Dir = absolute(path)
		if b.Partitions.DirectoryFailure(path) != nil {
			dir.ErrorCode = kerr.KafkaStorageError.Code
			response.Dirs = append(response.Dirs, dir)
			continue
		}
		dir.Topics = logsIn(path, wanted)
		dir.TotalBytes, dir.UsableBytes = volumeBytes(path)
		response.Dirs = append(response.Dirs, dir)
	}
	return response
}

// absolute is what Kafka answers: tools compare it with what they read on the
// machine. It fails only if the working directory is gone.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// logsWanted is the partitions here that were asked for, in order and each once.
func (b *Backend) logsWanted(asked []kmsg.DescribeLogDirsRequestTopic) []*partition.Partition {
	var wanted []*partition.Partition
	if asked == nil {
		for _, t := range b.Partitions.Topics() {
			wanted = append(wanted, t.All()...)
		}
	}
	for _, a := range asked {
		t, ok := b.Partitions.TopicNamed(a.Topic)
		for i := 0; ok && i < len(a.Partitions); i++ {
			p, _ := t.Partition(a.Partitions[i])
			wanted = append(wanted, p)
		}
	}
	wanted = slices.DeleteFunc(wanted, func(p *partition.Partition) bool { return p == nil || p.Failure() != nil })
	slices.SortFunc(wanted, func(a, b *partition.Partition) int {
		return cmp.Or(cmp.Compare(a.ID().Topic, b.ID().Topic), cmp.Compare(a.ID().Partition, b.ID().Partition))
	})
	return slices.Compact(wanted)
}

// logsIn describes those of the partitions, which are in order, that are in one
// directory.
func logsIn(dir string, partitions []*partition.Partition) []kmsg.DescribeLogDirsResponseDirTopic {
	var topics []kmsg.DescribeLogDirsResponseDirTopic
	for _, p := range partitions {
		if p.Dir() != dir {
			continue
		}
		if len(topics) == 0 || topics[len(topics)-1].Topic != p.ID().Topic {
			topic := kmsg.NewDescribeLogDirsResponseDirTopic()
			topic.Topic = p.ID().Topic
			topics = append(topics, topic)
		}
		log := kmsg.NewDescribeLogDirsResponseDirTopicPartition()
		log.Partition, log.Size = p.ID().Partition, p.Bytes()
		log.OffsetLag = max(p.HighWatermark()-p.LogEndOffset(), 0)
		newest := &topics[len(topics)-1]
		newest.Partitions = append(newest.Partitions, log)
	}
	return topics
}
