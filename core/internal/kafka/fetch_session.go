package kafka

import (
	"math/rand/v2"

	"odradek.dev/core/internal/fetchsession"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
)

// Bounds of what is remembered for fetch sessions. A reader of more partitions
// goes without one, and names them all in every request.
const (
	mostSessionPartitions    = 10_000
	mostPartitionsOfSessions = 1 << 20
)

// place is where a session's partition was found. It is looked up again when
// it cannot be read there any more.
type place struct {
	// topic is the last that was found by the session's name or id for it.
	topic *partition.Topic
	from  *partition.Partition
}

type (
	fetchSessions    = fetchsession.Cache[place]
	sessionOfFetch   = fetchsession.Session[place]
	sessionPartition = fetchsession.Partition[place]
)

func newFetchSessions(slots int) *fetchSessions {
	limits := fetchsession.Limits{
		Slots: slots, Partitions: mostPartitionsOfSessions, SessionPartitions: mostSessionPartitions,
	}
	return fetchsession.NewCache[place](limits, rand.Int32)
}

// fetchSession is the part of a Fetch request that is about its session.
type fetchSession struct {
	// sessionID and sessionEpoch are those of the request; before the answer
	// is encoded sessionID becomes that of the answer.
	sessionID, sessionEpoch int32
	// forgotten is the list of that in the request, in the read buffer.
	forgotten []byte
	// session is nil unless the fetch continues one. Then kept has what the
	// session knows of each of the call's partitions.
	session *sessionOfFetch
	kept    []*sessionPartition
}

func (s *fetchSession) clean() {
	clear(s.kept)
	*s = fetchSession{kept: s.kept[:0]}
	if cap(s.kept) > mostPooled {
		s.kept = nil
	}
}

// enterSession finds what is to be read: what the request names, and if it
// continues a session, what that knows already.
func (f *fetchCall) enterSession(s *Server) {
	partitions := s.backend.Partitions
	if fetchsession.IsFull(f.sessionEpoch) {
		if f.sessionID != fetchsession.None {
			s.sessions.Close(f.sessionID)
		}
		f.resolve(partitions)
		return
	}
	session, refused := s.sessions.Continue(s.backend.Clock.Now(), f.sessionID, f.sessionEpoch, f.byID(),
		func(session *sessionOfFetch) { f.exchange(session, partitions) })
	switch {
	case refused != nil:
		f.fail(refused.Code)
		f.sessionID = fetchsession.None
	case session == nil:
		f.resolve(partitions)
	}
	f.session = session
}

// fail answers the request as a whole with an error.
func (f *fetchCall) fail(code int16) {
	f.failure = code
	f.truncate(0, 0)
}

// exchange tells the session what changed, and has the call read all that is
// in it then. If that is nothing, the request stands for itself.
func (f *fetchCall) exchange(session *sessionOfFetch, partitions *partition.Registry) {
	for i := range f.topics {
		t := &f.topics[i]
		// One that is not there is found out when its partitions are.
		_ = t.resolve(partitions, f.byID())
		key := f.keyOf(t)
		for _, part := range f.partitions[t.first:t.end] {
			key.Index = part.index
			session.Want(key, part.wanted())
			if session.Len() > mostSessionPartitions {
				return // it ends by that
			}
		}
	}
	c := cursor{b: f.forgotten, flexible: f.version >= 12}
	eachForgotten(&c, f.version, func(t namedTopic, index int32) {
		key := f.keyOf(&t)
		key.Index = index
		session.Forget(key)
	})
	if session.Len() == 0 {
		return
	}
	f.truncate(0, 0)
	for p := range session.All() {
		f.load(p, partitions)
	}
}

// load adds a partition of the session to the call.
func (f *fetchCall) load(p *sessionPartition, partitions *partition.Registry) {
	refused := p.Place.find(p.Key, f.byID(), partitions)
	part := fetchPartition{
		index: p.Index, epoch: p.LeaderEpoch, lastEpoch: p.LastEpoch, offset: p.Offset, maxBytes: p.MaxBytes, from: p.Place.from,
	}
	if refused != nil {
		part.found = refusedFetch(refused)
	}
	f.partitions, f.kept = append(f.partitions, part), append(f.kept, p)
	end := len(f.partitions)
	if n := len(f.topics); n > 0 && f.keyOf(&f.topics[n-1]) == (fetchsession.Key{Topic: p.Topic, TopicID: p.TopicID}) {
		f.topics[n-1].end = end
		return
	}
	t := namedTopic{id: p.TopicID, topic: p.Place.topic, first: end - 1, end: end}
	if t.topic == nil {
		t.name = []byte(p.Topic)
	}
	f.topics = append(f.topics, t)
}

// find looks for the partition unless it is known to be where it was.
func (l *place) find(k fetchsession.Key, byID bool, partitions *partition.Registry) *refusal.Refusal {
	if l.from != nil && l.from.Role().Readable {
		return nil
	}
	l.from = nil
	var topic *partition.Topic
	var there bool
	if byID {
		if topic, there = partitions.TopicByID(k.TopicID); !there {
			return l.lost(k.Index, partitions)
		}
	} else if topic, there = partitions.TopicNamed(k.Topic); !there {
		return unknownTopic
	}
	l.topic = topic
	var refused *refusal.Refusal
	l.from, refused = partitionOf(topic, k.Index)
	return refused
}

// lost says why there is no topic of an id. Once it had a name in the session,
// the name is what is missed, or what is found to be another topic.
func (l *place) lost(index int32, partitions *partition.Registry) *refusal.Refusal {
	if l.topic == nil {
		return unknownTopicID
	}
	another, there := partitions.TopicNamed(l.topic.Name)
	if !there {
		return unknownTopic
	}
	if _, exists := another.Partition(index); !exists {
		return unknownPartition
	}
	return anotherTopicID
}

// leaveSession decides what of the call is answered, and in which session. It
// comes right before the answer is encoded.
func (f *fetchCall) leaveSession(s *Server) {
	switch {
	case f.failure != 0:
	case f.session != nil:
		if refused := f.session.Finish(f.sessionEpoch, f.tell); refused != nil {
			f.fail(refused.Code)
		}
	case f.sessionEpoch == fetchsession.InitialEpoch:
		begun := fetchsession.New{ByID: f.byID(), Partitions: len(f.partitions)}
		f.sessionID = s.sessions.Create(s.backend.Clock.Now(), begun, f.remember)
	default:
		f.sessionID = fetchsession.None
	}
}

// remember fills a session that the call begins.
func (f *fetchCall) remember(session *sessionOfFetch) {
	for i := range f.topics {
		t := &f.topics[i]
		key := f.keyOf(t)
		for j := t.first; j < t.end; j++ {
			part := &f.partitions[j]
			key.Index = part.index
			p := session.Want(key, part.wanted())
			p.Place = place{topic: t.topic, from: part.from}
			session.Tell(p, part.result())
		}
	}
}

// tell leaves out what is no news to the reader.
func (f *fetchCall) tell(session *sessionOfFetch) {
	topics, partitions := 0, 0
	for _, t := range f.topics {
		first := partitions
		for j := t.first; j < t.end; j++ {
			if session.Tell(f.kept[j], f.partitions[j].result()) {
				f.partitions[partitions] = f.partitions[j]
				partitions++
			}
		}
		if partitions > first {
			t.first, t.end = first, partitions
			f.topics[topics] = t
			topics++
		}
	}
	f.truncate(topics, partitions)
}

func (f *fetchCall) truncate(topics, partitions int) {
	clear(f.topics[topics:])
	clear(f.partitions[partitions:])
	f.topics, f.partitions = f.topics[:topics], f.partitions[:partitions]
}

// keyOf names the topic's partitions in a session, but for their index.
func (f *fetchCall) keyOf(t *namedTopic) fetchsession.Key {
	switch {
	case f.byID():
		return fetchsession.Key{TopicID: t.id}
	case t.topic != nil:
		return fetchsession.Key{Topic: t.topic.Name}
	}
	return fetchsession.Key{Topic: string(t.name)}
}

func (p *fetchPartition) wanted() fetchsession.Wanted {
	return fetchsession.Wanted{Offset: p.offset, LeaderEpoch: p.epoch, LastEpoch: p.lastEpoch, MaxBytes: p.maxBytes}
}

func (p *fetchPartition) result() fetchsession.Result {
	return fetchsession.Result{
		HighWatermark: p.found.HighWatermark, LogStartOffset: p.found.LogStartOffset,
		Bytes: p.found.Chunk.Bytes(), Failed: p.found.Refusal != nil, Diverging: p.found.Diverging != nil,
	}
}
