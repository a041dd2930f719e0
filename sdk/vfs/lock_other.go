//go:build !unix

package vfs

import (
	"errors"
	"os"
)

func tryLock(*os.File) error { return errors.ErrUnsupported }
