package shape

// Budget is the bytes that a request may still take in memory as it is decoded.
type Budget int64

// The budget of a body of n bytes is budgetPerByte*n + budgetBase: the former
// is enough for elements with names of usual length, the latter for tens of
// thousands with names of a character.
const (
	budgetPerByte = 8
	budgetBase    = 1 << 20
)

// BudgetFor is the budget of a body of so many bytes.
func BudgetFor(size int) Budget { return Budget(budgetPerByte*int64(size) + budgetBase) }

// Spend takes from the budget what count elements of so many bytes need. It
// reports false if that is more than is left.
func (b *Budget) Spend(count, each int64) bool {
	*b -= Budget(count * each)
	return *b >= 0
}
