package sticky

import "context"

// balance shifts partitions along chains of members until none is left that
// lessens a difference. It starts from the member that has most, so that what
// it could not reach stays settled: whoever the heaviest member reaches has at
// most one less than it, and a lighter member's chain ending there would not
// help either.
func (g *group) balance(ctx context.Context) error {
	settled := make([]bool, len(g.load))
	search := newSearch(g)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		heaviest := g.heaviest(settled)
		if heaviest == nobody || g.load[heaviest] < 2 {
			return nil
		}
		lightest := search.from(heaviest)
		if lightest == nobody {
			for member, reached := range search.reached {
				settled[member] = settled[member] || reached
			}
			continue
		}
		for to := lightest; to != heaviest; to = search.parent[to] {
			g.shift(search.via[to], search.parent[to], to)
		}
	}
}

func (g *group) heaviest(settled []bool) int {
	heaviest := nobody
	for _, member := range g.order {
		if !settled[member] && (heaviest == nobody || g.load[member] > g.load[heaviest]) {
			heaviest = member
		}
	}
	return heaviest
}

// shift moves one of the partitions of the topic that from has: best one that
// to had before, else one that from did not have before, else the last.
func (g *group) shift(topic, from, to int) {
	best, bestRank := nobody, -1
	for partition, owner := range g.owner[topic] {
		if owner != from {
			continue
		}
		if rank := g.rank(topic, partition, from, to); rank >= bestRank {
			best, bestRank = partition, rank
		}
	}
	g.move(topic, best, to)
}

func (g *group) rank(topic, partition, from, to int) int {
	switch g.before[topic][partition] {
	case to:
		return 2
	case from:
		return 0
	}
	return 1
}
