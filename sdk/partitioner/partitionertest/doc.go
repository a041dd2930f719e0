// Package partitionertest holds a partitioner to its contract. An author calls
// [Run] with a function that opens an instance; the same call serves an
// instance in this process and one in another.
//
//	func TestConformance(t *testing.T) {
//		partitionertest.Run(t, func(t *testing.T) partitioner.Partitioner {
//			return partitionertest.Open(t, region.Factory(), nil)
//		})
//	}
package partitionertest
