//go:build !unix

package vfs

import (
	"errors"
	"os"
)

func tryLock(*os.File) error { return errors.ErrUnsupported }

func unlock(*os.File) error { return nil }
