package fetchsession

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestTranscripts runs the scenarios in testdata, each on a cache of its own.
// With -rewrite they are written anew. A scenario's commands:
//
//	cache     slots=N partitions=N a-session=N
//	create    [privileged] [ids]: a partition a line: NAME-INDEX FIELD=N..., what
//	          the first fetch found there
//	continue  id=N epoch=N [ids]: lines of + NAME-INDEX [offset=N], - NAME-INDEX;
//	          shows what is read, in order
//	finish    id=N epoch=N: a partition a line as for create; shows what is
//	          answered
//	close     id=N
//	wait      DURATION
//	next-id   N: what is drawn next
//	epoch     id=N to=N: the session's next epoch, as if it had been used so often
//	stats
//
// FIELDs of what is found: hw, start, bytes, failed.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &scenario{now: time.Unix(0, 0), sessions: map[int32]*Session[string]{}}
		datadriven.RunTest(t, path, s.run)
	})
}

type scenario struct {
	cache *Cache[string]
	now   time.Time
	drawn int32
	// sessions are kept when they have ended, as by a fetch in progress.
	sessions map[int32]*Session[string]
	byID     bool
	out      strings.Builder
}

func (s *scenario) run(t *testing.T, d *datadriven.TestData) string {
	s.out.Reset()
	s.byID = d.HasArg("ids")
	var id, epoch int32
	d.MaybeScanArgs(t, "id", &id)
	d.MaybeScanArgs(t, "epoch", &epoch)
	switch d.Cmd {
	case "cache":
		var l Limits
		d.ScanArgs(t, "slots", &l.Slots)
		d.ScanArgs(t, "partitions", &l.Partitions)
		d.ScanArgs(t, "a-session", &l.SessionPartitions)
		s.cache = NewCache[string](l, func() int32 { s.drawn++; return s.drawn - 1 })
	case "create":
		s.create(t, d)
	case "continue":
		s.proceed(t, d, id, epoch)
	case "finish":
		s.finish(t, d, id, epoch)
	case "close":
		s.cache.Close(id)
	case "wait":
		wait, err := time.ParseDuration(d.CmdArgs[0].Key)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		s.now = s.now.Add(wait)
	case "next-id":
		s.drawn = number(t, d, d.CmdArgs[0].Key)
	case "epoch":
		d.ScanArgs(t, "to", &s.sessions[id].epoch)
	case "stats":
		fmt.Fprintf(&s.out, "%+v\n", s.cache.Stats())
	default:
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
	return s.out.String()
}

func (s *scenario) create(t *testing.T, d *datadriven.TestData) {
	n := New{Privileged: d.HasArg("privileged"), ByID: s.byID, Partitions: len(lines(d))}
	var created *Session[string]
	id := s.cache.Create(s.now, n, func(session *Session[string]) {
		created = session
		for _, line := range lines(d) {
			words := strings.Fields(line)
			p := session.Want(s.key(t, d, words[0]), Wanted{})
			session.Tell(p, resultIn(t, d, words[1:]))
		}
	})
	if id == None {
		fmt.Fprintln(&s.out, "no session")
		return
	}
	s.sessions[id] = created
	fmt.Fprintf(&s.out, "session %d\n", id)
}

func (s *scenario) proceed(t *testing.T, d *datadriven.TestData, id, epoch int32) {
	session, refusal := s.cache.Continue(s.now, id, epoch, s.byID, func(session *Session[string]) {
		for _, line := range lines(d) {
			words := strings.Fields(line)
			key := s.key(t, d, words[1])
			if words[0] == "-" {
				session.Forget(key)
				continue
			}
			var w Wanted
			for _, word := range words[2:] {
				w.Offset = int64(number(t, d, strings.TrimPrefix(word, "offset=")))
			}
			session.Want(key, w)
		}
		for p := range session.All() {
			fmt.Fprintf(&s.out, "read %s at %d\n", name(p), p.Offset)
		}
	})
	switch {
	case refusal != nil:
		fmt.Fprintln(&s.out, refusal.Message)
	case session == nil:
		fmt.Fprintln(&s.out, "ended")
	}
}

func (s *scenario) finish(t *testing.T, d *datadriven.TestData, id, epoch int32) {
	refusal := s.sessions[id].Finish(epoch, func(session *Session[string]) {
		for _, line := range lines(d) {
			words := strings.Fields(line)
			p := session.partitions[s.key(t, d, words[0])]
			if session.Tell(p, resultIn(t, d, words[1:])) {
				fmt.Fprintf(&s.out, "answer %s\n", name(p))
			}
		}
	})
	if refusal != nil {
		fmt.Fprintln(&s.out, refusal.Message)
	}
}

// key names a topic by an id of its first letter, if it is to be by id.
func (s *scenario) key(t *testing.T, d *datadriven.TestData, word string) Key {
	topic, index, _ := strings.Cut(word, "-")
	k := Key{Index: number(t, d, index)}
	if s.byID {
		k.TopicID[0] = topic[0]
	} else {
		k.Topic = topic
	}
	return k
}

func name(p *Partition[string]) string {
	if p.Topic == "" {
		return fmt.Sprintf("%c-%d", p.TopicID[0], p.Index)
	}
	return fmt.Sprintf("%s-%d", p.Topic, p.Index)
}

func resultIn(t *testing.T, d *datadriven.TestData, words []string) (r Result) {
	for _, word := range words {
		field, value, _ := strings.Cut(word, "=")
		switch field {
		case "hw":
			r.HighWatermark = int64(number(t, d, value))
		case "start":
			r.LogStartOffset = int64(number(t, d, value))
		case "bytes":
			r.Bytes = int64(number(t, d, value))
		case "failed":
			r.Failed, r.HighWatermark, r.LogStartOffset = true, -1, -1
		default:
			d.Fatalf(t, "unknown field %s", word)
		}
	}
	return r
}

func number(t *testing.T, d *datadriven.TestData, word string) int32 {
	n, err := strconv.ParseInt(word, 10, 32)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return int32(n)
}

func lines(d *datadriven.TestData) []string {
	if d.Input == "" {
		return nil
	}
	return strings.Split(d.Input, "\n")
}
