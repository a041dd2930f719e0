package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxBodyBytes bounds what a request may ask to be decided at once.
const maxBodyBytes = 8 << 20

// answer writes body as JSON. A client that has gone away is nobody to tell.
func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	answer(w, status, map[string]string{"error": fmt.Sprintf(format, args...)})
}

// read decodes the body into q. If it cannot, it has answered, and is false.
func read(w http.ResponseWriter, r *http.Request, q any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(q)
	if err == nil {
		if _, end := decoder.Token(); end != io.EOF {
			err = errors.New("something follows it")
		}
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, "the body may have %d bytes at most; ask in several requests", maxBodyBytes)
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body is not the JSON that %s takes: %v", r.URL.Path, err)
	}
	return err == nil
}
