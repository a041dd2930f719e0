package partition

import (
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// BatchTime is the first timestamp of the visible batch that holds an offset,
// or of the next if compaction left none that does. It reads no more than a
// header. ok is false if there is no such batch.
func (p *Partition) BatchTime(offset int64) (ms int64, ok bool, err error) {
	if !p.role.Load().Readable {
		return 0, false, nil
	}
	read := storage.Read{Offset: max(offset, p.start.Load()), Before: p.visible.Load(), MaxBytes: 1, PastDamage: true}
	if read.Offset >= read.Before {
		return 0, false, nil
	}
	chunk, err := p.log.Read(p.host.ctx(), read)
	if err != nil || len(chunk.Extents) == 0 {
		p.host.noteDirectory(p.dir, err)
		return 0, false, err
	}
	err = p.eachHeader(chunk.Extents[0], func(b record.Batch) {
		if ok {
			return
		}
		if ms, ok = b.BaseTimestamp(), true; b.LogAppendTime() {
			ms = b.MaxTimestamp()
		}
	})
	return ms, ok, err
}
