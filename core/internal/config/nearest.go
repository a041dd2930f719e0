package config

import "iter"

// Nearest is the known name that is fewest edits away from name, of several the
// first in the alphabet, whatever order they are known in; empty if even that one
// differs in more than a third of its letters.
func Nearest(name string, known iter.Seq[string]) string {
	best, bestEdits := "", len(name)/3+1
	for candidate := range known {
		if n := edits(name, candidate); n < bestEdits || n == bestEdits && (best == "" || candidate < best) {
			best, bestEdits = candidate, n
		}
	}
	return best
}

// edits counts the insertions, removals and replacements of one byte that lead
// from a to b (Levenshtein).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, replaced)
		}
	}
	return row[len(b)]
}
