package sample

import (
	"fmt"
	"math/rand/v2"
)

// keys are how many keys [Keyed] has records of.
const keys = 2000

// Keyed are records for a topic that is compacted: each has one of a few
// thousand keys, one of which is empty, one in twenty is a tombstone, and some
// have headers. The same for the same seed, with offsets from 0 on.
func Keyed(seed uint64, count int) []Record {
	random := rand.New(rand.NewPCG(seed, 1919))
	all := make([]Record, count)
	for i := range all {
		r := &all[i]
		r.Offset, r.Timestamp = int64(i), firstTimestamp+int64(i)*1000-int64(i%7)*1500
		r.Key = []byte{}
		if key := random.IntN(keys); key > 0 {
			r.Key = fmt.Append(nil, "key ", key)
		}
		if random.IntN(20) > 0 {
			r.Value = make([]byte, 500+random.IntN(1000))
			for at := range r.Value {
				r.Value[at] = byte(random.IntN(256))
			}
		}
		if random.IntN(4) == 0 {
			r.Headers = []Header{{"written", fmt.Append(nil, i)}, {"null", nil}}
		}
	}
	return all
}
