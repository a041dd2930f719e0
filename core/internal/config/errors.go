package config

import "fmt"

// ValueError says that a value is not one of those allowed.
type ValueError struct {
	Name, Value string
	// Allowed ends the sentence "it must be ...".
	Allowed string
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("%s: %q is not allowed; it must be %s", e.Name, e.Value, e.Allowed)
}

// UnknownNameError says that nothing is called so.
type UnknownNameError struct {
	Name string
	// What is "topic config" or "broker config".
	What string
	// Nearest is the known name that was probably meant, empty if none is near.
	Nearest string
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("%s: unknown %s%s", e.Name, e.What, DidYouMean(e.Nearest))
}

// DidYouMean is the end of an error that has a suggestion; empty without one.
func DidYouMean(nearest string) string {
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", nearest)
}
