package partition

// growth remembers how many bytes lie between the high watermark and the end
// of the log, by append, so that an advance of the one can be told in bytes.
// With one replica it never holds more than one append.
type growth struct {
	// queue is in order of end offsets; head is the first that is not visible.
	queue []grown
	head  int
}

type grown struct {
	end, bytes int64
}

func (g *growth) appended(end, bytes int64) {
	if g.head == len(g.queue) {
		g.queue, g.head = g.queue[:0], 0
	}
	g.queue = append(g.queue, grown{end: end, bytes: bytes})
}

// visible returns the bytes of the appends that end at or below offset and
// forgets them.
func (g *growth) visible(offset int64) int64 {
	var sum int64
	for g.head < len(g.queue) && g.queue[g.head].end <= offset {
		sum += g.queue[g.head].bytes
		g.head++
	}
	if g.head == len(g.queue) {
		g.queue, g.head = g.queue[:0], 0
	} else if g.head > 64 && 2*g.head > len(g.queue) {
		g.queue = append(g.queue[:0], g.queue[g.head:]...)
		g.head = 0
	}
	return sum
}

// truncated forgets the appends that end above offset.
func (g *growth) truncated(offset int64) {
	for len(g.queue) > g.head && g.queue[len(g.queue)-1].end > offset {
		g.queue = g.queue[:len(g.queue)-1]
	}
}
