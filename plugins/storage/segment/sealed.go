package segment

// look finds out about a sealed segment that no recovery has checked what is to
// be known before it is relied on: that its last time entry is of a batch that is
// there and has the largest timestamp, and that its batches go on to the next
// segment. Once: from then on it is loaded.
func (v *view) look() error {
	if v.loaded {
		return nil
	}
	v.looked = true
	if v.size == 0 {
		v.largest, v.largestAt, v.loaded = -1, v.base, true
		return nil
	}
	entry, any, err := v.times.newest()
	if err != nil {
		return err
	}
	v.largest, v.largestAt = -1, v.base
	if any {
		var there bool
		if _, there, err = v.named(entry); err != nil {
			return err
		}
		if !there {
			return v.remakeTimes()
		}
		v.largest, v.largestAt = entry.timestamp, v.base+int64(entry.offset)
	}
	later := false
	next, err := v.through(v.largestAt, func(b batchAt) bool {
		later = b.timestamp > v.largest
		return !later
	})
	switch {
	case err != nil:
		return err
	case later:
		return v.remakeTimes()
	}
	v.loaded = true
	return v.checkEnd(next)
}

// checkEnd notes as damage what is missing behind the last batch, if it is known
// to be. next is where that batch ends.
func (v *view) checkEnd(next int64) error {
	if next >= v.next {
		return nil
	}
	d, damaged, err := v.lacks(next)
	if damaged {
		v.damage, v.found = withDamage(v.damage, d), append(v.found, d)
	}
	return err
}

// named finds the batch that a time entry names. ok is false if there is none, or
// if it has another timestamp.
func (v *view) named(e timeEntry) (b batchAt, ok bool, err error) {
	offset := v.base + int64(e.offset)
	if e.offset < 0 || offset >= v.next {
		return b, false, nil
	}
	b, around, ok, err := v.find(offset)
	return b, ok && !around.holds(offset) && b.base <= offset && b.timestamp == e.timestamp, err
}

// floorTime is the last time entry for which after is false, ok false if there is
// none. The index is made anew if the entry is not of a batch that is there.
func (v *view) floorTime(after func(timeEntry) bool) (e timeEntry, ok bool, err error) {
	n, e, err := v.times.search(after)
	if err != nil || n == 0 || v.remade {
		return e, n > 0, err
	}
	_, there, err := v.named(e)
	if err != nil || there {
		return e, there, err
	}
	if err := v.remakeTimes(); err != nil {
		return e, false, err
	}
	n, e, err = v.times.search(after)
	return e, n > 0, err
}

// remakeTimes makes the time index anew, in memory, and the largest timestamp
// with it.
func (v *view) remakeTimes() error {
	made := segment{base: v.base, largest: -1, largestAt: v.base}
	next, err := v.through(v.base, func(b batchAt) bool {
		made.note(b.next-1, b.timestamp, b.size, v.interval)
		return true
	})
	if err != nil {
		return err
	}
	if err := v.checkEnd(next); err != nil {
		return err
	}
	made.noteTime()
	v.largest, v.largestAt, v.loaded, v.remade = made.largest, made.largestAt, true, true
	v.times.reset()
	v.times.pending, v.times.last = made.times.pending, made.times.last
	return nil
}

// through calls visit with the batches from the one that holds offset on, while
// it returns true, and returns where the last of them, or what is damaged behind
// it, ends.
func (v *view) through(offset int64, visit func(batchAt) bool) (next int64, err error) {
	first, err := v.floor(offset)
	if err != nil {
		return 0, err
	}
	w := v.walk(first.position, first.base)
	defer v.took(&w)
	for {
		b, ok, err := w.next()
		if err != nil || !ok {
			return w.from, err
		}
		if b.next > offset && !visit(b) {
			return b.next, nil
		}
	}
}
