package hostile

import (
	"bufio"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"odradek.dev/tools/internal/procstat"
)

// readings is what the broker takes of the machine.
type readings struct {
	connections, descriptors, goroutines float64
	residentMiB                          float64
	// refused is connections by cause.
	refused map[string]float64
}

func (r readings) since(before readings) string {
	return fmt.Sprintf("%+.0f connections, %+.0f descriptors, %+.0f goroutines, %+.1f MiB resident",
		r.connections-before.connections, r.descriptors-before.descriptors, r.goroutines-before.goroutines, r.residentMiB-before.residentMiB)
}

// readings asks the admin listener and the system.
func (s *suite) readings() (readings, error) {
	r := readings{refused: map[string]float64{}}
	response, err := http.Get("http://" + s.broker.Admin + "/metrics")
	if err != nil {
		return r, err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), " ")
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			continue // a comment
		}
		switch name, labels, _ := strings.Cut(name, "{"); name {
		case "odradek_connections":
			r.connections += value
		case "process_open_fds":
			r.descriptors = value
		case "go_goroutines":
			r.goroutines = value
		case "odradek_connections_refused_total":
			_, cause, _ := strings.Cut(labels, `cause="`)
			cause, _, _ = strings.Cut(cause, `"`)
			r.refused[cause] += value
		}
	}
	if err := lines.Err(); err != nil {
		return r, err
	}
	r.residentMiB, err = procstat.ResidentMiB(s.broker.PID())
	return r, err
}

// settled waits until there are no more connections than so many.
func (s *suite) settled(connections float64) (readings, error) {
	return s.until(func(r readings) bool { return r.connections <= connections })
}

func (s *suite) until(reached func(readings) bool) (readings, error) {
	for deadline := time.Now().Add(answerTimeout); ; {
		r, err := s.readings()
		switch {
		case err != nil || reached(r):
			return r, err
		case time.Now().After(deadline):
			return r, fmt.Errorf("the broker still has %v connections, %v descriptors and %v goroutines after %v",
				r.connections, r.descriptors, r.goroutines, answerTimeout)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
