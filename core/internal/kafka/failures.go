package kafka

import (
	"sync"
	"time"
)

// pace lets one line of each kind through a second, so that clients cannot fill
// the log. The zero value is ready. Safe for concurrent use.
type pace struct {
	mu    sync.Mutex
	kinds map[string]*paced
}

type paced struct {
	last     time.Time
	unspoken int
}

const betweenLines = time.Second

// due says whether to write a line now, and how many were not written since
// the last. There must be few kinds.
func (p *pace) due(now time.Time, kind string) (skipped int, due bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.kinds[kind]
	if k == nil {
		if p.kinds == nil {
			p.kinds = make(map[string]*paced)
		}
		k = &paced{}
		p.kinds[kind] = k
	} else if now.Sub(k.last) < betweenLines {
		k.unspoken++
		return 0, false
	}
	skipped, k.last, k.unspoken = k.unspoken, now, 0
	return skipped, true
}

// failed notes that the broker could not answer a request. message is a
// constant, and the kind of the line.
func (b *Backend) failed(message string, args ...any) {
	if skipped, due := b.failures.due(b.Clock.Now(), message); due {
		b.Log.Error(message, append(args, "unlogged", skipped)...)
	}
}
