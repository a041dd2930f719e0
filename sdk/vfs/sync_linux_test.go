package vfs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReleasesOfKernels(t *testing.T) {
	for release, want := range map[string]bool{
		"5.8": true, "5.8.0-rc1": true, "5.10.0-28-amd64": true, "6.1.0": true, "6": true, "10.0": true,
		"5.7.19": false, "4.18.0-553.el8.x86_64": false, "5": false, "": false, "linux": false, "5.8-rc1": true,
	} {
		require.Equal(t, want, atLeast(release, 5, 8), release)
	}
}
