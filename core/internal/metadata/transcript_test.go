package metadata

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// TestTranscripts runs the scenarios in testdata, each on an image of its own.
// With -rewrite they are written anew. A scenario's commands:
//
//	register      a broker a line: ID [rack=R] LISTENER=HOST:PORT...
//	create        a topic a line: NAME [partitions=N] [factor=N] [replicas=1/2,2/3] [CONFIG=VALUE...]
//	partitions    a topic a line: NAME COUNT [replicas=1/2,2/3]
//	delete        a topic a line: its name, or id:ID
//	producer-ids  broker=N
//	configs       a resource a line: TYPE/NAME and operations: K=V, K+=V, K-=V, -K,
//	              K=null, or KIND:K=V for a kind by its number; with replace as
//	              AlterConfigs
//	name          the cluster
//	features      an update a line: NAME LEVEL and the number of its kind
//	directories   the log directories of broker=N: NUMBER PATH
//	record        a line of the log, as it stands there
//	image         shows the image
//	snapshot      encodes the image, shows that, and goes on with what is decoded
//
// Each shows the results, and the records, of its plan and applies them.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s := &scenario{image: Empty()}
			datadriven.RunTest(t, path, s.run)
		})
	}
}

type scenario struct {
	image *Image
	// topics counts the ids that were given out.
	topics byte
	out    strings.Builder
}

func (s *scenario) run(t *testing.T, d *datadriven.TestData) string {
	s.out.Reset()
	lines := strings.Split(d.Input, "\n")
	switch d.Cmd {
	case "register":
		for _, line := range lines {
			s.apply(t, RegisterBroker(s.image, brokerIn(line)))
		}
	case "create":
		var asked []NewTopic
		for _, line := range lines {
			s.topics++
			asked = append(asked, newTopicIn(t, line, TopicID{3: s.topics, 15: s.topics}))
		}
		s.show(t, CreateTopics(t.Context(), s.image, s.rules(), asked))
	case "partitions":
		var asked []NewPartitions
		for _, line := range lines {
			words := strings.Fields(line)
			p := NewPartitions{Topic: words[0], Count: number(t, words[1])}
			for _, word := range words[2:] {
				for _, a := range assignedIn(t, word) {
					p.Assignment = append(p.Assignment, a.Replicas)
				}
			}
			asked = append(asked, p)
		}
		s.show(t, CreatePartitions(t.Context(), s.image, s.rules(), asked))
	case "delete":
		s.show(t, DeleteTopics(s.image, refsIn(t, lines)))
	case "producer-ids":
		var broker int32
		d.ScanArgs(t, "broker", &broker)
		s.apply(t, []Record{AllocateProducerIDs(s.image, broker)})
	case "configs":
		s.alterConfigs(t, lines, d.HasArg("replace"))
	case "directories":
		s.knowDirectories(t, d, lines)
	case "name":
		s.apply(t, NameCluster(lines[0]))
	case "features":
		s.updateFeatures(t, lines)
	case "record":
		s.applyText(lines)
	case "image":
		s.describe()
	case "snapshot":
		s.snapshot(t)
	default:
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
	return s.out.String()
}

func (s *scenario) show(t *testing.T, plan Plan) {
	for _, r := range plan.Results {
		if r.Refusal != nil {
			fmt.Fprintf(&s.out, "%s: error %d: %s\n", subject(r.Name, r.ID.String()), r.Refusal.Code(), r.Refusal.Message)
			continue
		}
		fmt.Fprintf(&s.out, "%s: %s, %d partitions of %d replicas%s\n", r.Name, r.ID, r.Partitions, r.ReplicationFactor, configsText(r.Configs))
	}
	s.apply(t, plan.Records)
}

func subject(name, id string) string {
	if name == "" {
		return id
	}
	return name
}

// apply sends the records through the log's form, as the controller does.
func (s *scenario) apply(t *testing.T, records []Record) {
	for _, r := range records {
		text, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&s.out, "%s\n", text)
		decoded, err := Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if s.image, err = Apply(s.image, s.image.Index()+1, decoded); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *scenario) knowDirectories(t *testing.T, d *datadriven.TestData, lines []string) {
	var broker int32
	d.ScanArgs(t, "broker", &broker)
	var told []Directory
	for _, line := range lines {
		words := strings.Fields(line)
		told = append(told, Directory{ID: DirectoryID{15: byte(number(t, words[0]))}, Path: words[1]})
	}
	s.apply(t, KnowDirectories(s.image, broker, told))
}

func (s *scenario) applyText(lines []string) {
	for _, line := range lines {
		r, err := Decode([]byte(line))
		if err == nil {
			var next *Image
			if next, err = Apply(s.image, s.image.Index()+1, r); err == nil {
				s.image = next
				continue
			}
		}
		fmt.Fprintf(&s.out, "%s error: %v\n", module.ClassOf(err), err)
	}
}

func (s *scenario) describe() {
	i := s.image
	fmt.Fprintf(&s.out, "record %d, cluster %q, next producer id %d, %d topics\n", i.Index(), i.ClusterID(), i.nextProducerID, i.TopicCount())
	for _, b := range i.Brokers() {
		fmt.Fprintf(&s.out, "broker %d epoch %d rack %q %v\n", b.ID, b.Epoch, b.Rack, b.Listeners)
		for _, dir := range b.Directories {
			fmt.Fprintf(&s.out, "  directory %s at %s\n", dir.ID, dir.Path)
		}
	}
	for _, r := range i.resources() {
		fmt.Fprintf(&s.out, "resource %d/%s%s\n", r.Type, r.Name, configsText(r.Configs))
	}
	for topic := range i.Topics() {
		byID, _ := i.TopicByID(topic.ID)
		fmt.Fprintf(&s.out, "topic %s %s by %s%s, found by id %t\n", topic.Name, topic.ID, topic.Strategy, configsText(topic.Configs), byID == topic)
		for n, p := range topic.Partitions {
			r := p.Record
			fmt.Fprintf(&s.out, "  %d: version %d leader %d epoch %d replicas %v in sync %v of %d\n", n, r.Version, r.Leader, r.LeaderEpoch, r.Replicas, r.InSync, r.MinInSync)
		}
	}
}

func (s *scenario) snapshot(t *testing.T) {
	state, err := EncodeSnapshot(s.image)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&s.out, "%s\n", state)
	if s.image, err = DecodeSnapshot(s.image.Index(), state); err != nil {
		t.Fatal(err)
	}
}

// rules are those of a cluster in which every registered broker lives.
func (s *scenario) rules() Rules {
	r := Rules{DefaultPartitions: 2, DefaultReplicationFactor: 1, Elect: electFirst}
	for _, b := range s.image.Brokers() {
		r.Live = append(r.Live, b.ID)
	}
	r.Configs = testConfigRules()
	r.Settle = func(overrides map[string]string) (Settled, error) {
		settled := Settled{Strategy: "first", MinInSync: 1}
		for _, name := range slices.Sorted(maps.Keys(overrides)) {
			switch name {
			case "replication.strategy":
				settled.Strategy = overrides[name]
			case "cleanup.policy", "retention.ms":
			case "min.insync.replicas":
				n, err := strconv.ParseInt(overrides[name], 10, 32)
				if err != nil {
					return settled, errors.New("min.insync.replicas must be a number")
				}
				settled.MinInSync = int32(n)
			default:
				return settled, fmt.Errorf("%s is unknown", name)
			}
		}
		return settled, nil
	}
	return r
}

// electFirst has the strategies of these tests: "first" elects the first
// replica; the others are wrong in the way of their names.
func electFirst(_ context.Context, strategy string, r replication.Record, live replication.Liveness) (replication.Record, error) {
	r.Version++
	r.LeaderEpoch++
	r.Leader = r.InSync[0]
	switch strategy {
	case "first":
		return r, nil
	case "refuses":
		return r, module.Invalidf("it wants an odd number of replicas")
	case "hangs":
		return r, context.DeadlineExceeded
	case "moves":
		r.Replicas = []int32{9}
	case "strange-leader":
		r.Leader = 9
	case "strange-in-sync":
		r.InSync = []int32{9}
	case "goes-back":
		r.LeaderEpoch = -2
	default:
		return r, module.Fatalf("unknown")
	}
	return r, nil
}
