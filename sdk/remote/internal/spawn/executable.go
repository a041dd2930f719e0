package spawn

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"strings"

	"odradek.dev/sdk/module"
)

// executable is a program that was found and, if a hash was asked for, is what
// was asked for.
type executable struct {
	path string
	// verified is the open file whose content has the wanted hash, nil if none
	// was wanted. Where the system can, it is this file that is executed, so
	// that another one under the same path is of no use.
	verified *os.File
}

// open finds the program. sum is its SHA-256 in hex, empty for any.
func open(path, sum string) (executable, error) {
	found, err := exec.LookPath(path)
	if err != nil {
		return executable{}, module.Invalidf("module program %s cannot be run: %w", path, err)
	}
	if sum == "" {
		return executable{path: found}, nil
	}
	file, err := os.Open(found)
	if err != nil {
		return executable{}, module.Invalidf("module program %s cannot be read to check its sha256: %w", path, err)
	}
	if err := verify(file, sum); err != nil {
		return executable{}, closing(file, err)
	}
	return executable{path: found, verified: file}, nil
}

// verify hashes afresh at every start: the file may be another by now.
func verify(file *os.File, want string) error {
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return module.Retriablef("module program %s cannot be read to check its sha256: %w", file.Name(), err)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); !strings.EqualFold(got, want) {
		return module.Invalidf("module program %s has sha256 %s, but the configuration wants %s; it was not started", file.Name(), got, strings.ToLower(want))
	}
	return nil
}

func (e executable) close() {
	if e.verified != nil {
		_ = e.verified.Close() // was only read
	}
}

func closing(c io.Closer, err error) error {
	_ = c.Close() // err says more
	return err
}
