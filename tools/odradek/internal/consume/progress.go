package consume

// progress knows when there is nothing more to print. It is not safe for
// concurrent use.
type progress struct {
	// until has, for each partition that is not finished, the offset that
	// finishes it; nil if the command never finishes by itself.
	until map[int32]int64
	// left is how many more records may be printed; negative for no limit.
	left int64
}

func newProgress(spans map[int32]span, exitAtEnd bool, count int64) *progress {
	p := &progress{left: count}
	if count == 0 {
		p.left = -1
	}
	if exitAtEnd {
		p.until = make(map[int32]int64, len(spans))
		for partition, s := range spans {
			if s.from < s.until {
				p.until[partition] = s.until
			}
		}
	}
	return p
}

// take notes that a record was fetched and reports whether to print it.
// Control records end a partition like others, but are never printed.
func (p *progress) take(partition int32, offset int64, control bool) bool {
	if p.done() {
		return false
	}
	if p.until != nil {
		until, unfinished := p.until[partition]
		if !unfinished {
			return false
		}
		if offset+1 >= until {
			delete(p.until, partition)
		}
		if offset >= until {
			return false
		}
	}
	if control {
		return false
	}
	if p.left > 0 {
		p.left--
	}
	return true
}

// takeAny is take for a record that is printed wherever it stands, since a
// group passes over it otherwise.
func (p *progress) takeAny(partition int32, offset int64, control bool) bool {
	if until, unfinished := p.until[partition]; unfinished && offset+1 >= until {
		delete(p.until, partition)
	}
	if control {
		return false
	}
	if p.left > 0 {
		p.left--
	}
	return true
}

// passed notes that partitions are done with up to these offsets.
func (p *progress) passed(offsets map[int32]int64) {
	for partition, at := range offsets {
		if until, unfinished := p.until[partition]; unfinished && at >= until {
			delete(p.until, partition)
		}
	}
}

func (p *progress) done() bool {
	return p.left == 0 || p.until != nil && len(p.until) == 0
}
