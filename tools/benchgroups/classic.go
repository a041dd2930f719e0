package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// assignorName is the protocol of the classic groups: equal shares.
const assignorName = "range"

func (m *member) runClassic() error {
	for {
		if err := m.joinClassic(); err != nil {
			return err
		}
		again, err := m.heartbeats()
		if err != nil || !again {
			return err
		}
	}
}

// joinClassic returns when the member has its share of a generation.
func (m *member) joinClassic() error {
	for {
		joined, err := m.joinOnce()
		if err != nil {
			return err
		}
		synced, err := m.sync(joined)
		if err != nil {
			return err
		}
		switch err := kerr.ErrorForCode(synced.ErrorCode); err {
		case nil:
			return m.take(synced.MemberAssignment)
		case kerr.RebalanceInProgress, kerr.IllegalGeneration:
		case kerr.UnknownMemberID:
			m.id = ""
		default:
			return fmt.Errorf("syncing: %w", err)
		}
	}
}

// joinOnce joins, with the member id that it is given on the way.
func (m *member) joinOnce() (*kmsg.JoinGroupResponse, error) {
	said := kmsg.NewConsumerMemberMetadata()
	said.Topics = []string{m.topic}
	for {
		q := kmsg.NewPtrJoinGroupRequest()
		q.Version, q.Group, q.MemberID, q.ProtocolType = 9, m.group, m.id, "consumer"
		q.SessionTimeoutMillis, q.RebalanceTimeoutMillis = int32(m.session.Milliseconds()), int32(rebalanceTimeout.Milliseconds())
		q.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: assignorName, Metadata: said.AppendTo(nil)}}
		joined, err := ask[*kmsg.JoinGroupResponse](m.connection, q)
		if err != nil {
			return nil, err
		}
		switch err := kerr.ErrorForCode(joined.ErrorCode); err {
		case nil:
			m.id, m.epoch = joined.MemberID, joined.Generation
			return joined, nil
		case kerr.MemberIDRequired:
			m.id = joined.MemberID
		case kerr.UnknownMemberID:
			m.id = ""
		default:
			return nil, fmt.Errorf("joining: %w", err)
		}
	}
}

func (m *member) sync(joined *kmsg.JoinGroupResponse) (*kmsg.SyncGroupResponse, error) {
	q := kmsg.NewPtrSyncGroupRequest()
	q.Version, q.Group, q.Generation, q.MemberID = 5, m.group, m.epoch, m.id
	q.ProtocolType, q.Protocol = kmsg.StringPtr("consumer"), kmsg.StringPtr(assignorName)
	if joined.LeaderID == m.id {
		q.GroupAssignment = m.share(joined.Members)
	}
	return ask[*kmsg.SyncGroupResponse](m.connection, q)
}

// share gives each member the same number of partitions, or one more.
func (m *member) share(members []kmsg.JoinGroupResponseMember) (shares []kmsg.SyncGroupRequestGroupAssignment) {
	slices.SortFunc(members, func(a, b kmsg.JoinGroupResponseMember) int { return cmp.Compare(a.MemberID, b.MemberID) })
	for i, one := range members {
		topic := kmsg.NewConsumerMemberAssignmentTopic()
		topic.Topic = m.topic
		for p := m.partitions * i / len(members); p < m.partitions*(i+1)/len(members); p++ {
			topic.Partitions = append(topic.Partitions, int32(p))
		}
		assigned := kmsg.NewConsumerMemberAssignment()
		assigned.Topics = append(assigned.Topics, topic)
		share := kmsg.NewSyncGroupRequestGroupAssignment()
		share.MemberID, share.MemberAssignment = one.MemberID, assigned.AppendTo(nil)
		shares = append(shares, share)
	}
	return shares
}

func (m *member) take(encoded []byte) error {
	var assigned kmsg.ConsumerMemberAssignment
	if err := assigned.ReadFrom(encoded); err != nil {
		return fmt.Errorf("reading the assignment: %w", err)
	}
	var has []int32
	for _, topic := range assigned.Topics {
		has = append(has, topic.Partitions...)
	}
	m.census.has(m.number, m.epoch, len(has))
	if len(has) == 0 {
		return nil
	}
	return m.fetchFirst(has[0])
}

// heartbeats goes on until the group rebalances, which is true, or the member
// has left.
func (m *member) heartbeats() (bool, error) {
	q := kmsg.NewPtrHeartbeatRequest()
	q.Version, q.Group, q.Generation, q.MemberID = 4, m.group, m.epoch, m.id
	for {
		stays, err := m.wait(usualHeartbeat)
		if err != nil {
			return false, err
		}
		if !stays {
			return false, m.leaveClassic()
		}
		response, err := ask[*kmsg.HeartbeatResponse](m.connection, q)
		if err != nil {
			return false, err
		}
		switch err := kerr.ErrorForCode(response.ErrorCode); err {
		case nil:
		case kerr.RebalanceInProgress, kerr.IllegalGeneration:
			m.census.hears(m.epoch)
			return true, nil
		case kerr.UnknownMemberID:
			m.id = ""
			return true, nil
		default:
			return false, fmt.Errorf("heartbeat: %w", err)
		}
	}
}

func (m *member) leaveClassic() error {
	q := kmsg.NewPtrLeaveGroupRequest()
	q.Version, q.Group = 5, m.group
	q.Members = []kmsg.LeaveGroupRequestMember{{MemberID: m.id}}
	response, err := ask[*kmsg.LeaveGroupResponse](m.connection, q)
	if err != nil {
		return err
	}
	return kerr.ErrorForCode(response.ErrorCode)
}
