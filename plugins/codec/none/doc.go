// Package none is the codec that leaves batches as they are: attribute 0.
//
// It copies. A host that knows the attribute does not need to call it; it is
// there so that every attribute has a module and no code path is special.
package none
