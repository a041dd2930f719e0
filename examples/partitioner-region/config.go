package main

import (
	"strings"

	"odradek.dev/sdk/module"
)

// Config is what a user may set.
type Config struct {
	Regions   map[string][]int32 `setting:"regions" doc:"the partitions of each region"`
	Separator string             `setting:"separator" doc:"what stands between the region and the rest of a key"`
}

// Defaults has no regions, so that every key may go to every partition.
func Defaults() Config { return Config{Regions: map[string][]int32{}, Separator: "|"} }

// Validate names the setting that is wrong and what it allows.
func (c Config) Validate() error {
	if c.Separator == "" {
		return module.Invalidf(`separator is empty; it must be at least one character, such as "|"`)
	}
	for region, partitions := range c.Regions {
		if region == "" || strings.Contains(region, c.Separator) {
			return module.Invalidf("regions has %q; a region is a name without %q", region, c.Separator)
		}
		if len(partitions) == 0 {
			return module.Invalidf("regions has no partitions for %q; give it at least one", region)
		}
		for _, p := range partitions {
			if p < 0 {
				return module.Invalidf("regions has partition %d for %q; partitions count from 0", p, region)
			}
		}
	}
	return nil
}
