package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// syntax is how the text of a value becomes a T. Its parse answers ok false for
// text that is not allowed; the sentence in allowed then tells the user why.
type syntax[T any] struct {
	kind    Type
	allowed string
	parse   func(text string) (value T, ok bool)
}

func boolean() syntax[bool] {
	return syntax[bool]{Boolean, "true or false", func(text string) (bool, bool) {
		switch strings.ToLower(text) {
		case "true":
			return true, true
		case "false":
			return false, true
		}
		return false, false
	}}
}

// text takes anything but the empty string.
func text(allowed string) syntax[string] {
	return syntax[string]{String, allowed, func(text string) (string, bool) { return text, text != "" }}
}

func oneOf(words ...string) syntax[string] {
	return syntax[string]{String, "one of " + strings.Join(words, ", "), func(text string) (string, bool) {
		return text, slices.Contains(words, text)
	}}
}

// listOf takes words separated by commas, none twice; no words at all is a list
// too. With no words given, any are allowed.
func listOf(allowed string, words ...string) syntax[[]string] {
	return syntax[[]string]{List, allowed, func(text string) ([]string, bool) {
		list := splitList(text)
		for i, item := range list {
			known := len(words) == 0 || slices.Contains(words, item)
			if item == "" || !known || slices.Contains(list[:i], item) {
				return nil, false
			}
		}
		return list, true
	}}
}

func splitList(text string) []string {
	if strings.TrimSpace(text) == "" {
		return []string{}
	}
	list := strings.Split(text, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// words is a list of some of those given.
func words(known ...string) syntax[[]string] {
	return listOf("a list of "+strings.Join(known, ", ")+", each at most once", known...)
}

func anyList() syntax[[]string] { return listOf("a list without repetition") }

func anyText() syntax[string] {
	return syntax[string]{String, "a text", func(text string) (string, bool) { return text, true }}
}

func className() syntax[string] {
	s := text("the name of a class")
	s.kind = Class
	return s
}

func password() syntax[string] {
	s := anyText()
	s.kind = Password
	return s
}

func oneOfAnyCase(words ...string) syntax[string] {
	s := oneOf(words...)
	s.parse = func(text string) (string, bool) {
		i := slices.IndexFunc(words, func(word string) bool { return strings.EqualFold(word, text) })
		return text, i >= 0
	}
	return s
}

func integer(low, high int32) syntax[int32] {
	return syntax[int32]{Int, wholeNumber(int64(low), int64(high)), func(text string) (int32, bool) {
		n, ok := parseWhole(text, int64(low), int64(high))
		return int32(n), ok
	}}
}

// integerAsShort is an INT on the wire whose field has 16 bits.
func integerAsShort(low, high int16) syntax[int16] {
	s := short(low, high)
	s.kind = Int
	return s
}

func short(low, high int16) syntax[int16] {
	return syntax[int16]{Short, wholeNumber(int64(low), int64(high)), func(text string) (int16, bool) {
		n, ok := parseWhole(text, int64(low), int64(high))
		return int16(n), ok
	}}
}

func anyInteger() syntax[int32] { return integer(math.MinInt32, math.MaxInt32) }

func anyLong() syntax[int64] { return long(math.MinInt64, math.MaxInt64) }

func long(low, high int64) syntax[int64] {
	return syntax[int64]{Long, wholeNumber(low, high), func(text string) (int64, bool) {
		return parseWhole(text, low, high)
	}}
}

// integerAsLong is an INT on the wire whose field has 64 bits.
func integerAsLong(low, high int32) syntax[int64] {
	s := long(int64(low), int64(high))
	s.kind = Int
	return s
}

// milliseconds takes whole milliseconds; those beyond what a Duration can hold
// become the longest one.
func milliseconds(kind Type, low, high int64) syntax[time.Duration] {
	return syntax[time.Duration]{kind, wholeNumber(low, high) + " (milliseconds)", func(text string) (time.Duration, bool) {
		n, ok := parseWhole(text, low, high)
		if n > math.MaxInt64/int64(time.Millisecond) {
			return math.MaxInt64, ok
		}
		return time.Duration(n) * time.Millisecond, ok
	}}
}

func fraction(low, high float64) syntax[float64] {
	return syntax[float64]{Double, fmt.Sprintf("a number from %g to %g", low, high), func(text string) (float64, bool) {
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil && n >= low && n <= high
	}}
}

// orElse allows one more number outside of the range, such as -1 for a default.
func orElse(s syntax[int32], extra int32, means string) syntax[int32] {
	inner := s.parse
	s.allowed += fmt.Sprintf(", or %d for %s", extra, means)
	s.parse = func(text string) (int32, bool) {
		if text == strconv.Itoa(int(extra)) {
			return extra, true
		}
		return inner(text)
	}
	return s
}

func parseWhole(text string, low, high int64) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= low && n <= high
}

func wholeNumber(low, high int64) string {
	switch {
	case low == math.MinInt64 && high == math.MaxInt64:
		return "a whole number"
	case high == math.MaxInt64:
		return fmt.Sprintf("a whole number of at least %d", low)
	}
	return fmt.Sprintf("a whole number from %d to %d", low, high)
}
