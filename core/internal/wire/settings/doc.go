// Package settings reads a broker's configuration from its sources and chooses
// the modules that it names. It starts nothing.
//
// [Load] merges the sources by path, the later over the earlier, each value with
// its [Origin], and has package config check the broker's. [Choose] holds the
// modules section against the modules that there are. What is wrong is collected
// in [Problems] by both, so that one run reports everything, each in its line.
package settings
