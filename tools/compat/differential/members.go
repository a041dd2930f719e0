package differential

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Placeholders of what a member was told: its id (see [memberPlaceholder]), the
// last generation or member epoch with a small number added, the protocol that
// was chosen, and the partitions that it was given.
const (
	toldEpoch    = int32(1) << 20
	toldProtocol = "<protocol>"
)

var toldPartitions = topicPlaceholder("(given)")

// mostFromTold is the largest number that is added to a told epoch, or taken
// from it.
const mostFromTold = 8

// memberPlaceholder names the nth member of a play.
func memberPlaceholder(play, n int) string { return fmt.Sprintf("<%d.%d>", play, n) }

// told is what one broker told a member.
type told struct {
	// id is empty while the member has none; ids are all that it ever had.
	id       string
	ids      []string
	epoch    int32
	protocol string
	given    []kmsg.ConsumerGroupHeartbeatRequestTopic
}

func (i *identities) told(member string) *told {
	if i.members[member] == nil {
		i.members[member] = &told{}
	}
	return i.members[member]
}

// fillMember puts what a member was told where the placeholders of its request
// are.
func (i *identities) fillMember(q kmsg.Request, member string) {
	if member == "" {
		return
	}
	t := i.told(member)
	walk(reflect.ValueOf(q).Elem(), func(name string, v reflect.Value) {
		v = reflect.Indirect(v)
		switch {
		case name == "MemberID" && v.IsValid():
			v.SetString(i.memberID(q, v.String()))
		case name == "Generation" || name == "MemberEpoch":
			if from := int32(v.Int()) - toldEpoch; from >= -mostFromTold && from <= mostFromTold {
				v.SetInt(int64(t.epoch + from))
			}
		case name == "Protocol" && v.IsValid() && v.String() == toldProtocol:
			v.SetString(t.protocol)
		}
	})
	if heartbeat, is := q.(*kmsg.ConsumerGroupHeartbeatRequest); is && len(heartbeat.Topics) == 1 && heartbeat.Topics[0].TopicID == toldPartitions {
		heartbeat.Topics = append([]kmsg.ConsumerGroupHeartbeatRequestTopic{}, t.given...)
	}
}

// memberID is the id for a placeholder. A client that has none joins without,
// or with one that it makes itself.
func (i *identities) memberID(q kmsg.Request, placeholder string) string {
	if !strings.HasPrefix(placeholder, "<") {
		return placeholder
	}
	if id := i.told(placeholder).id; id != "" {
		return id
	}
	switch {
	case q.Key() == 11, q.Key() == 68 && q.GetVersion() == 0:
		return ""
	case q.Key() == 68:
		return ownID(placeholder)
	}
	return placeholder
}

// ownID is an id that a client makes itself: behind every id that a broker makes,
// so that the order is the same, and for the nth member in the nth place of a
// small hash table of Kafka, in whose order it assigns where Odradek goes by the
// ids.
func ownID(placeholder string) string {
	var play, n int
	if _, err := fmt.Sscanf(placeholder, "<%d.%d>", &play, &n); err != nil {
		panic(fmt.Errorf("%q is no placeholder of a member: %w", placeholder, err))
	}
	for last := 'a'; ; last++ {
		if id := "~" + placeholder + string(last); placeInTable(id) == n {
			return id
		}
	}
}

// placeInTable is where Java's HashMap of less than 13 entries has a string of
// ASCII characters.
func placeInTable(text string) int {
	hash := uint32(0)
	for _, one := range []byte(text) {
		hash = 31*hash + uint32(one)
	}
	return int((hash ^ hash>>16) % 16)
}

// learnMember remembers what the member is told that asked.
func (i *identities) learnMember(response kmsg.Response, asked request) {
	member := asked.member
	if member == "" {
		return
	}
	t := i.told(member)
	switch r := response.(type) {
	case *kmsg.JoinGroupResponse:
		if r.ErrorCode == 0 || r.ErrorCode == kerr.MemberIDRequired.Code {
			i.name(member, r.MemberID)
		}
		if r.ErrorCode == 0 {
			t.epoch = r.Generation
		}
		if r.Protocol != nil {
			t.protocol = *r.Protocol
		}
		t.forgetIf(r.ErrorCode)
	case *kmsg.SyncGroupResponse:
		t.forgetIf(r.ErrorCode)
	case *kmsg.ConsumerGroupHeartbeatResponse:
		if r.ErrorCode == 0 && r.MemberID != nil {
			i.name(member, *r.MemberID)
			t.epoch = r.MemberEpoch
			t.take(r.Assignment)
		}
	case *kmsg.LeaveGroupResponse:
		if asked.GetVersion() < firstSeveralLeave && r.ErrorCode == 0 {
			i.told(asked.Request.(*kmsg.LeaveGroupRequest).MemberID).id = ""
		}
		for _, m := range r.Members {
			if one := i.members[i.memberNames[m.MemberID]]; one != nil && m.ErrorCode == 0 {
				one.id = ""
			}
		}
	}
}

// firstSeveralLeave is the version of LeaveGroup from which its answer names
// who left.
const firstSeveralLeave = 3

func (t *told) take(given *kmsg.ConsumerGroupHeartbeatResponseAssignment) {
	if given == nil {
		return
	}
	t.given = nil
	for _, topic := range given.Topics {
		t.given = append(t.given, kmsg.ConsumerGroupHeartbeatRequestTopic{TopicID: topic.TopicID, Partitions: topic.Partitions})
	}
}

// forgetIf is what a client does that is told that it is not known.
func (t *told) forgetIf(code int16) {
	if code == kerr.UnknownMemberID.Code || code == kerr.FencedInstanceID.Code {
		t.id = ""
	}
}

func (i *identities) name(member, id string) {
	t := i.told(member)
	if t.id = id; slices.Contains(t.ids, id) {
		return
	}
	t.ids = append(t.ids, id)
	name := member
	if n := len(t.ids); n > 1 {
		name = fmt.Sprint(member, " again ", n)
	}
	i.memberNames[id] = name
}

// made recognizes ids that a broker made.
var made = regexp.MustCompile(`([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|^[-_0-9A-Za-z]{22})$`)

// emptyMember puts a placeholder where the id of a member is.
func (i *identities) emptyMember(v reflect.Value) {
	if v = reflect.Indirect(v); v.Kind() != reflect.String {
		return
	}
	id := v.String()
	if name := i.memberNames[id]; name != "" {
		v.SetString(name)
	} else {
		v.SetString(made.ReplaceAllString(id, "<another>"))
	}
}
