package segment

import (
	"slices"

	"odradek.dev/sdk/storage"
)

// goAround goes on behind b, which cannot have its base offset, or behind what is
// no batch at all if b is of size 0.
func (w *walker) goAround(b batchAt) error {
	if b.size > 0 {
		broken := false
		var err error
		if b.base < w.from {
			broken, err = w.priorBroken()
		}
		if err != nil {
			return err
		}
		if !broken {
			return w.passOver(b)
		}
	}
	if w.strict {
		return storage.ErrCorrupt.With("%s: no batch at position %d", w.file.path, w.position)
	}
	return w.resync()
}

// priorBroken checks the CRC of the batch before the position, if the walk has
// seen it: its length or its last offset may be what has misled the walk.
func (w *walker) priorBroken() (bool, error) {
	p := w.prior
	if p.size == 0 || p.end() != w.position {
		return false, nil
	}
	_, _, intact, err := w.scanner().batch(p.position, p.base)
	return err == nil && !intact, err
}

func (w *walker) scanner() *scanner { return &scanner{file: w.file, size: w.size, base: w.base} }

// resync notes as damage what is between the position, where no batch is, and
// the next intact batch, and goes there. If the batch before is broken then the
// damage begins with it.
func (w *walker) resync() error {
	position, from := w.position, w.from
	broken, err := w.priorBroken()
	if err != nil {
		return err
	}
	if broken {
		position, from = w.prior.position, w.prior.base
	}
	sc := w.scanner()
	b, found, err := sc.nextIntact(position, from)
	w.readBytes += sc.read
	if err != nil {
		return err
	}
	d := damage{position, w.size, from, max(from, w.limit)}
	if found && (w.limit == 0 || b.next <= w.limit) {
		d.to, d.next = b.position, b.base
	}
	w.found = append(w.found, d)
	w.damage = withDamage(w.damage, d)
	w.position, w.from, w.prior = d.to, d.next, batchAt{}
	return nil
}

// followed reports whether b, the batch that next has returned, can end where its
// header says, by what is behind it. If not, and if b is what is broken, then the
// walk goes on behind the damage.
func (w *walker) followed(b batchAt) (bool, error) {
	known := slices.ContainsFunc(w.damage, func(d damage) bool { return d.from <= b.end() && b.end() < d.to })
	if known || b.end() >= w.size {
		return true, nil
	}
	behind, ok, err := w.at(b.end())
	if err != nil || ok && behind.base >= b.next {
		return ok, err
	}
	broken, err := w.priorBroken()
	if err != nil || !broken {
		return true, err
	}
	return false, w.resync()
}

// around is what the walk has met that holds offset, or else d.
func (w *walker) around(offset int64, d damage) damage {
	if w.passed.holds(offset) {
		return w.passed
	}
	for _, met := range w.found {
		if met.holds(offset) {
			return met
		}
	}
	return d
}

// withDamage is a list with d in its place. What overlaps d in offsets is known
// already: d is not added then.
func withDamage(list []damage, d damage) []damage {
	at := 0
	for i, known := range list {
		if known.first < d.next && d.first < known.next {
			return list
		}
		if known.first < d.first {
			at = i + 1
		}
	}
	return slices.Insert(slices.Clone(list), at, d)
}
