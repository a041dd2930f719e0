package churn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/compat/churn/event"
)

// crashed is a group of the members a, b and k, by java, sarama and kafka-go,
// whose broker crashes 20 s after they joined, when the partition ends at 100,
// and is there at once.
func crashed() *ledger {
	l := newLedger(runsAlways)
	for _, process := range []string{"a", "b", "k"} {
		l.did(0, join, process, libraryOf[process])
		l.add(process, libraryOf[process], assigned(process, 1).Event)
		l.progresses(process, 19, 99)
	}
	l.did(20_000, crash, "", "")
	l.restarted(20_000, map[int32]int64{0: 100})
	return l
}

var libraryOf = map[string]string{"a": "java", "b": "sarama", "k": "kafka-go"}

// processes is a record at a second of the run, and progresses its commit, too.
func (l *ledger) processes(process string, second float64, offset int64) {
	l.add(process, libraryOf[process], event.Event{Kind: event.Records, At: int64(second * 1000), First: offset, Last: offset})
}

func (l *ledger) progresses(process string, second float64, offset int64) {
	l.processes(process, second, offset)
	if saysCommitted(libraryOf[process]) {
		l.add(process, libraryOf[process], event.Event{Kind: event.Committed, At: int64(second * 1000), Offset: offset + 1})
	}
}

func (l *ledger) suffers(process string, second float64, what action) {
	l.did(int64(second*1000), what, process, "")
}

const (
	silentA = "a made no progress, and had 10s for it after the broker's start"
	silentB = "b made no progress, and had 10s for it after the broker's start"
	silentK = "k made no progress, and had 16s for it after the broker's start"
)

func TestEveryMemberIsHeldToProgress(t *testing.T) {
	l := crashed()
	require.Equal(t, []string{silentA, silentB, silentK}, l.silent())
	l.progresses("a", 21, 100)
	require.Equal(t, []string{silentB, silentK}, l.silent())
	l.progresses("b", 30, 104)
	l.progresses("k", 36, 104)
	require.Empty(t, l.silent())
}

func TestProgress(t *testing.T) {
	for name, one := range map[string]struct {
		// happens to a group in which b makes progress in time.
		happens func(l *ledger)
		want    []string
	}{
		"in time": {func(l *ledger) { l.progresses("a", 30, 100); l.progresses("k", 36, 100) }, nil},
		"too late": {func(l *ledger) { l.progresses("a", 30.001, 100); l.progresses("k", 36.001, 100) }, []string{
			"a made progress 10.001s after the broker's start, and had 10s for it", "k made progress 16.001s after the broker's start, and had 16s for it"}},
		"of what was written before the crash": {func(l *ledger) { l.progresses("a", 21, 99); l.progresses("k", 36, 100) }, []string{silentA}},
		"without a commit":                     {func(l *ledger) { l.processes("a", 21, 100); l.progresses("k", 36, 100) }, []string{silentA}},
		"with a commit of what was written before": {func(l *ledger) {
			l.processes("a", 21, 100)
			l.add("a", "java", event.Event{Kind: event.Committed, At: 22_000, Offset: 100})
			l.progresses("k", 36, 100)
		}, []string{silentA}},
		"none by who was killed, or told to leave, in time": {func(l *ledger) { l.suffers("a", 29, kill); l.suffers("k", 29, leave) }, nil},
		"none by who is killed after its time":              {func(l *ledger) { l.suffers("a", 30.1, kill); l.progresses("k", 21, 100) }, []string{silentA}},
		"none by who was stopped, and resumed":              {func(l *ledger) { l.suffers("a", 21, stop); l.suffers("a", 28, resume); l.progresses("k", 21, 100) }, nil},
		"later after a change of the group": {func(l *ledger) {
			l.did(25_000, join, "c", "java")
			l.progresses("a", 35, 100)
			l.progresses("k", 41, 100)
		}, nil},
		"too late after a change of the group": {func(l *ledger) {
			l.did(25_000, join, "c", "java")
			l.progresses("a", 35.001, 100)
			l.progresses("k", 41.001, 100)
		}, []string{
			"a made progress 15.001s after the broker's start, and had 15s for it", "k made progress 21.001s after the broker's start, and had 21s for it"}},
		"too late for a change to matter": {func(l *ledger) {
			l.did(30_001, join, "c", "java")
			l.progresses("a", 31, 100)
			l.progresses("k", 31, 100)
		}, []string{"a made progress 11s after the broker's start, and had 10s for it"}},
		"after changes that never end": {func(l *ledger) {
			for second := 21; second < 60; second++ {
				l.did(int64(second)*1000, join, fmt.Sprintf("c%d", second), "java")
			}
		}, []string{
			"a made no progress, and had 26s for it after the broker's start", "k made no progress, and had 32s for it after the broker's start"}},
		"none before the next crash": {func(l *ledger) {
			l.suffers("", 29, crash)
			l.restarted(29_000, map[int32]int64{0: 200})
			for _, process := range []string{"a", "b", "k"} {
				l.progresses(process, 30, 200)
			}
		}, nil},
		"none after the next crash": {func(l *ledger) {
			l.progresses("a", 21, 100)
			l.progresses("k", 21, 100)
			l.suffers("", 40, crash)
			l.restarted(40_000, map[int32]int64{0: 200})
			l.progresses("a", 41, 200)
			l.progresses("k", 41, 200)
		}, []string{silentB}},
		"none when there are no records": {func(l *ledger) { l.suffers("", 29, drained) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			l := crashed()
			l.progresses("b", 20.5, 100)
			one.happens(l)
			require.Equal(t, one.want, l.silent())
		})
	}
}

// TestTimeInWhichTheMachineStandsStillDoesNotCount has it do so for two of the
// seconds after a crash.
func TestTimeInWhichTheMachineStandsStillDoesNotCount(t *testing.T) {
	l := crashed()
	l.after = func(at, ms int64) int64 { return at + ms + 2000 }
	l.progresses("a", 32, 100)
	l.progresses("b", 33, 104)
	l.progresses("k", 39, 104)
	require.Equal(t, []string{
		"b made progress 13s after the broker's start, and had 12s for it",
		"k made progress 19s after the broker's start, and had 18s for it",
	}, l.silent())
}

func TestWhoIsAwayDuringACrashNeedNoProgress(t *testing.T) {
	l := newLedger(runsAlways)
	for _, process := range []string{"a", "b", "c", "d", "e"} {
		l.did(0, join, process, "java")
	}
	l.suffers("a", 10, stop)
	l.suffers("b", 11, kill)
	l.suffers("c", 12, leave)
	l.suffers("d", 13, stop)
	l.suffers("d", 19, resume)
	l.suffers("e", 19, stop)
	l.restarted(20_000, map[int32]int64{0: 100})
	l.suffers("a", 21, resume)
	require.Equal(t, []string{"d made no progress, and had 11s for it after the broker's start"}, l.silent())
}

// schedule has the ledger of a group live through a schedule without a word
// from its members.
func schedule(all []moment, g *group) *ledger {
	l := newLedger(runsAlways)
	for _, m := range all {
		at := m.at.Milliseconds()
		switch {
		case m.action == crash:
			l.did(at, crash, "", "")
			l.restarted(at, nil)
		case m.group == g:
			l.did(at, m.action, m.member, m.library)
		}
	}
	return l
}

// TestTheUsualScheduleHoldsEveryLibrary has the first crash of the usual run ask
// each library of each group for progress in the time that it has when nothing
// else happens, and the second ask somebody of each group.
func TestTheUsualScheduleHoldsEveryLibrary(t *testing.T) {
	all := groups()
	drawn := draw(Usual.Seed, Usual.Length, all)
	for _, g := range all {
		l := schedule(drawn, g)
		require.Len(t, l.restarts, 2)
		held := make(map[string]bool)
		for process, by := range l.due(l.restarts[0]) {
			_, library, _ := strings.Cut(process, "-")
			held[library] = true
			require.Equal(t, progressOf(library).Milliseconds(), by-l.restarts[0].at)
		}
		for _, library := range g.libraries {
			require.True(t, held[library], "group %s: nobody of %s", g.name, library)
		}
		require.NotEmpty(t, l.due(l.restarts[1]), "group %s", g.name)
	}
}
