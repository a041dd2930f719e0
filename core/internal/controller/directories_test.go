package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/metadata"
)

func TestDirectoriesAreToldOnceAndStay(t *testing.T) {
	f := newFakeElection()
	two := []metadata.Directory{{ID: metadata.DirectoryID{1}, Path: "/one"}, {ID: metadata.DirectoryID{2}, Path: "/two"}}
	first := started(t, optionsFor(f))
	require.NoError(t, first.KnowDirectories(within(t), two))
	told := first.Image().Index()
	require.NoError(t, first.KnowDirectories(within(t), []metadata.Directory{two[1], two[0]}))
	require.Equal(t, told, first.Image().Index(), "what is known is not appended again")
	stop(t, first)

	f.lead(1, 2)
	second := running(t, optionsFor(f))
	b, found := second.Image().Broker(1)
	require.True(t, found)
	require.Equal(t, two, b.Directories)
}
