package codectest

import "fmt"

// The payloads are made by rule, so that the golden vectors need not carry
// them: testdata/Vectors.java has the same rules.

// lcg is Knuth's 64-bit linear congruential generator.
type lcg uint64

func (x *lcg) next() uint64 {
	*x = *x*6364136223846793005 + 1442695040888963407
	return uint64(*x)
}

// Text is size bytes of lines that compress well.
func Text(size int) []byte {
	out := make([]byte, 0, size+64)
	x := lcg(1)
	for i := 0; len(out) < size; i++ {
		out = fmt.Appendf(out, "record %d value %d\n", i, x.next()>>48)
	}
	return out[:size]
}

// Noise is size bytes that do not compress.
func Noise(size int) []byte {
	out := make([]byte, size)
	x := lcg(1)
	for i := range out {
		out[i] = byte(x.next() >> 56)
	}
	return out
}

// payload is that of a golden vector.
func payload(name string) ([]byte, bool) {
	switch name {
	case "empty":
		return []byte{}, true
	case "short":
		return []byte("odradek"), true
	case "text":
		return Text(100_000), true
	case "noise":
		return Noise(40_000), true
	}
	return nil, false
}
