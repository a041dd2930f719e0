package coordinator

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group"
)

// pipeline is the outputs of a machine whose answers are not given yet, in
// order: the first waits until its records are committed, and those behind it
// for the first, since what they answer may rest on its records. It is guarded
// by the shard's mutex.
type pipeline struct {
	waiting []*written
	// due is what is to be said as soon as the mutex is given up, in order.
	due []answer
}

// written is one output, and is told when its batches are committed.
type written struct {
	// open is how many of its batches are not committed.
	open    int
	answers []answer
	// load is that of the machine whose output it is.
	shard *shard
	load  int
}

// asked is a request without an answer.
type asked struct {
	request kmsg.Request
	done    func(kmsg.Response)
}

// answer is a response and whose it is.
type answer struct {
	asked
	response kmsg.Response
}

func (a asked) refuse(why *kerr.Error) answer { return answer{a, group.Refuse(a.request, why)} }

// idle reports whether no output waits for another.
func (p *pipeline) idle() bool { return len(p.waiting) == 0 }

// add puts an output at the end; call advance when its batches are counted.
func (p *pipeline) add(w *written) { p.waiting = append(p.waiting, w) }

// committed says that one of the batches of w is.
func (p *pipeline) committed(w *written) {
	w.open--
	p.advance()
}

func (p *pipeline) advance() {
	n := 0
	for ; n < len(p.waiting) && p.waiting[n].open == 0; n++ {
		p.due = append(p.due, p.waiting[n].answers...)
		p.waiting[n] = nil
	}
	if n == len(p.waiting) {
		p.waiting = p.waiting[:0] // the next finds room
	} else {
		p.waiting = p.waiting[n:]
	}
}

// abandon tells all that wait why there will be nothing.
func (p *pipeline) abandon(why *kerr.Error) {
	for _, w := range p.waiting {
		for _, a := range w.answers {
			p.due = append(p.due, a.refuse(why))
		}
	}
	p.waiting = nil
}

func (p *pipeline) takeDue() []answer {
	due := p.due
	p.due = nil
	return due
}
