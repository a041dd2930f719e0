package isr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/replication"
)

// split gives the first word, the second if it has no =, and the rest by name.
func split(line string) (kind, subject string, w words) {
	w = words{}
	for i, part := range strings.Fields(line) {
		name, value, named := strings.Cut(part, "=")
		switch {
		case i == 0:
			kind = part
		case i == 1 && !named:
			subject = part
		default:
			w[name] = value
		}
	}
	return kind, subject, w
}

// event reads one line of a step.
func (s *scenario) event(line string) replication.Event {
	kind, subject, w := split(line)
	number := words{"n": subject}
	request := func() uint64 { return uint64(number.int("n", 0)) }
	switch kind {
	case "propose":
		acks := map[string]int16{"all": -1, "0": 0, "1": 1, "2": 2}[w["acks"]]
		return replication.Event{Kind: replication.EventPropose, Request: request(), Acks: acks}
	case "appended":
		e := replication.Event{Kind: replication.EventAppended, Base: w.int("base", 0), End: w.int("end", 0), Epoch: int32(w.int("epoch", 5))}
		if subject != "" {
			e.Request = request()
		}
		return e
	case "append-failed":
		e := replication.Event{Kind: replication.EventAppendFailed, Err: errors.New("disk full")}
		if subject != "" {
			e.Request = request()
		}
		return e
	case "durable":
		return replication.Event{Kind: replication.EventDurable, Offset: number.int("n", 0)}
	case "truncated":
		return replication.Event{Kind: replication.EventTruncated, End: number.int("n", 0)}
	case "trimmed":
		return replication.Event{Kind: replication.EventTrimmed, Base: number.int("n", 0)}
	case "timer":
		return replication.Event{Kind: replication.EventTimer, Tag: subject}
	case "degraded":
		return replication.Event{Kind: replication.EventDegraded, Tag: subject}
	case "read-gate":
		return replication.Event{Kind: replication.EventReadGate, Request: request()}
	case "seal":
		return replication.Event{Kind: replication.EventSeal, Epoch: int32(number.int("n", 0))}
	case "installed":
		return replication.Event{Kind: replication.EventInstalled, Base: w.int("base", 0), End: w.int("end", 0), Epoch: int32(w.int("epoch", 0))}
	case "snapshot-needed":
		return replication.Event{Kind: replication.EventSnapshotNeeded, Peer: int32(number.int("n", 0))}
	case "record", "refused":
		record := w.record()
		e := replication.Event{Kind: replication.EventRecord, Record: &record}
		if kind == "refused" {
			e.Kind = replication.EventRecordRefused
		}
		return e
	case "fetch", "progress", "data", "diverging", "restart", "ask", "garbage":
		return s.messageEvent(kind, int32(words{"n": w["from"]}.int("n", 0)), w)
	}
	require.Failf(s.t, "unknown event", "%q", line)
	return replication.Event{}
}

func (s *scenario) messageEvent(kind string, from int32, w words) replication.Event {
	kinds := map[string]messageKind{
		"fetch": messageFetch, "progress": messageProgress, "data": messageData,
		"diverging": messageDiverging, "restart": messageRestart, "ask": messageAsk,
	}
	s.sequence[from]++
	sequence := s.sequence[from]
	if kind == "data" || kind == "diverging" || kind == "restart" {
		sequence = s.machine.(*Machine).follower.asked
	}
	msg := message{
		kind: kinds[kind], epoch: int32(w.int("epoch", 5)), offset: w.int("end", 0), lastEpoch: int32(w.int("last", -1)),
		hw: w.int("hw", 0), session: uint64(w.int("session", 7)), sequence: uint64(w.int("sequence", int64(sequence))),
	}
	msg.safe = w.int("safe", msg.offset)
	e := replication.Event{Kind: replication.EventMessage, Peer: from, Payload: msg.encode()}
	if kind == "garbage" {
		e.Payload = []byte("garbage")
	}
	if text := w["range"]; text != "" {
		base, end, _ := strings.Cut(text, "-")
		e.Range = replication.Range{Base: words{"n": base}.int("n", 0), End: words{"n": end}.int("n", 0), Epoch: int32(w.int("of", 5))}
	}
	return e
}

func showEffect(e *replication.Effect) string {
	switch e.Kind {
	case replication.EffectAppend:
		return fmt.Sprintf("append %d epoch=%d", e.Request, e.Epoch)
	case replication.EffectAccept:
		return fmt.Sprintf("accept epoch=%d", e.Epoch)
	case replication.EffectTruncate:
		return fmt.Sprintf("truncate %d", e.Offset)
	case replication.EffectRestart:
		return fmt.Sprintf("restart-log %d", e.Offset)
	case replication.EffectSync:
		return "sync"
	case replication.EffectPutHard:
		return fmt.Sprintf("put-hard %x", e.Payload)
	case replication.EffectSend:
		return fmt.Sprintf("send %d %s", e.Peer, showMessage(e.Payload))
	case replication.EffectSendRange:
		return fmt.Sprintf("send %d %s range=%d-%d of=%d", e.Peer, showMessage(e.Payload), e.Range.Base, e.Range.End, e.Range.Epoch)
	case replication.EffectAck:
		if e.Err != nil {
			return fmt.Sprintf("ack %d error: %v", e.Request, e.Err)
		}
		return fmt.Sprintf("ack %d base=%d", e.Request, e.Offset)
	case replication.EffectVisible:
		return fmt.Sprintf("visible %d", e.Offset)
	case replication.EffectRole:
		return fmt.Sprintf("role leader=%d epoch=%d writable=%v readable=%v", e.Leader, e.Epoch, e.Writable, e.Readable)
	case replication.EffectPutRecord:
		return "put-record " + showRecord(e.Record)
	case replication.EffectTimer:
		return fmt.Sprintf("timer %s after=%v", e.Tag, e.After)
	case replication.EffectReadGate:
		return fmt.Sprintf("read-gate %d error: %v", e.Request, e.Err)
	case replication.EffectSealed:
		return fmt.Sprintf("sealed epoch=%d end=%d", e.Epoch, e.Offset)
	case replication.EffectResign:
		return "resign"
	case replication.EffectTrace:
		return fmt.Sprintf("trace %s hw=%d", e.Tag, e.Offset)
	}
	return fmt.Sprintf("effect %d", e.Kind)
}

func showMessage(payload []byte) string {
	m, err := decodeMessage(payload)
	if err != nil {
		return err.Error()
	}
	switch m.kind {
	case messageFetch:
		return fmt.Sprintf("fetch epoch=%d end=%d last=%d safe=%d hw=%d", m.epoch, m.offset, m.lastEpoch, m.safe, m.hw)
	case messageData:
		return fmt.Sprintf("data epoch=%d hw=%d", m.epoch, m.hw)
	case messageDiverging:
		return fmt.Sprintf("diverging epoch=%d last=%d end=%d", m.epoch, m.lastEpoch, m.offset)
	case messageRestart:
		return fmt.Sprintf("restart epoch=%d end=%d", m.epoch, m.offset)
	case messageAsk:
		return fmt.Sprintf("ask epoch=%d", m.epoch)
	default:
		return fmt.Sprintf("progress epoch=%d safe=%d", m.epoch, m.safe)
	}
}

func TestMessagesSurviveTheirEncoding(t *testing.T) {
	for kind := messageFetch; kind < messageKindEnd; kind++ {
		m := message{kind: kind, epoch: -1, offset: 1 << 40, lastEpoch: 3, safe: -1, hw: 9, session: 1 << 63, sequence: 2}
		got, err := decodeMessage(m.encode())
		require.NoError(t, err)
		require.Equal(t, m, got)
	}
	whole := message{kind: messageAsk}.encode()
	for _, damaged := range [][]byte{nil, whole[:messageSize-1], append(whole[:messageSize:messageSize], 0), {2}, make([]byte, messageSize)} {
		_, err := decodeMessage(damaged)
		require.Error(t, err)
	}
}
