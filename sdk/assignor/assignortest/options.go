package assignortest

// Option tells [Run] what an assignor promises beyond the contract.
type Option func(*promises)

type promises struct {
	balanced         bool
	sticky           bool
	onlyOrderMatters bool
	movesForRacks    bool
}

// Balanced is for an assignor that gives members of equal subscriptions equal
// numbers of partitions, give or take one.
func Balanced() Option { return func(p *promises) { p.balanced = true } }

// Sticky is for an assignor that is balanced and lets members keep what they
// own as far as balance allows.
func Sticky() Option { return func(p *promises) { p.balanced, p.sticky = true, true } }

// OnlyOrderMatters is for an assignor that looks at the order of names and not
// at how they are spelt.
func OnlyOrderMatters() Option { return func(p *promises) { p.onlyOrderMatters = true } }

// MovesForRacks is for an assignor that, each time it is asked, gives up what is
// in another rack than its member and looks for something better, so that a
// group in which nothing changed stays as it is only where racks are unknown.
func MovesForRacks() Option { return func(p *promises) { p.movesForRacks = true } }
