//go:build !linux

package vfs

import "os"

// syncData on darwin is F_FULLFSYNC, which package os takes care of.
func syncData(f *os.File) error { return f.Sync() }
