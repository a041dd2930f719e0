package childlog

import "io"

// Writer returns a writer whose lines the sink logs, and a function that ends
// it and waits until all is logged.
func (s *Sink) Writer() (io.Writer, func()) {
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.ReadAll(r, nil)
	}()
	return w, func() {
		_ = w.Close() // never fails
		<-done
	}
}
