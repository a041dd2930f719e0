package kafkatools

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"odradek.dev/tools/internal/kafkadist"
)

// step is one command, given to both brokers. Steps build on each other.
type step struct {
	// name is unique.
	name string
	// command is the tool's class below org.apache.kafka.tools, then its
	// arguments. The address of the broker stands where BROKER does, or comes
	// first, unless LOGDIR stands for the folder of its logs; FILE is the path of a
	// file with file in it; HAS_ACLS is true or false, as the broker serves requests
	// about ACLs or does not.
	command, stdin, file string
	// key is the API key without which the step makes no sense; 0 for none.
	key int16
	// changes is set where running it twice is not the same as once.
	changes bool
	// alone is set for a tool that needs a JVM to itself, since it works on
	// until the JVM's own end.
	alone bool
	// unordered is set for a tool that prints lines in the order of a hash.
	unordered bool
	// compacted is set for a dump of records: what counts is the last of each key.
	compacted bool
	normal    []rule
	// says is in some line of Kafka's answer, where two empty ones would be equal.
	says string
	// join, in place of a command, are members that join their groups, one
	// after another, and stay until the end.
	join []member
}

func (s step) call(at side, dir string) (kafkadist.Call, error) {
	words := strings.Fields(s.command)
	args, addressed := words[1:], false
	for i, word := range args {
		if strings.HasPrefix(word, "LOGDIR/") {
			args[i], addressed = at.dataDir+strings.TrimPrefix(word, "LOGDIR"), true
		}
		switch word {
		case "BROKER":
			args[i], addressed = at.addr, true
		case "HAS_ACLS":
			args[i] = strconv.FormatBool(at.keys[describeACLs])
		case "FILE":
			args[i] = filepath.Join(dir, "file.json")
			if err := os.WriteFile(args[i], []byte(s.file), 0o644); err != nil {
				return kafkadist.Call{}, err
			}
		}
	}
	if !addressed {
		args = append([]string{"--bootstrap-server", at.addr}, args...)
	}
	return kafkadist.Call{Class: "org.apache.kafka.tools." + words[0], Args: args, Stdin: s.stdin}, nil
}

var steps = join(topicSteps, configSteps, recordSteps, offsetSteps, clusterSteps,
	groupSteps, liveGroupSteps, resetSteps, groupRecordSteps, groupConfigSteps, groupEndSteps)

func join(groups ...[]step) []step {
	var all []step
	for _, group := range groups {
		all = append(all, group...)
	}
	return all
}
