// Package assignortest holds an assignor to its contract. An author calls [Run]
// with a function that opens an instance; the same call serves an instance in
// this process and one in another.
//
//	func TestConformance(t *testing.T) {
//		assignortest.Run(t, func(t *testing.T) assignor.Assignor {
//			return assignortest.Open(t, weighted.Factory(), nil)
//		})
//	}
package assignortest
