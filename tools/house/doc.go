// Package house holds the rules of the house as tests: who may import whom,
// what a module's folder has in it, how long functions are, that every
// configuration and every example in the documentation runs.
//
// Each rule is one file. A rule that fails says which file breaks it and what
// the rule is.
package house
