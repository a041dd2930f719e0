package config

import (
	"math"
	"strconv"
	"strings"
)

// canonical is the one text of a value that can be written in several ways.
func canonical(kind Type, text string) string {
	text = strings.TrimSpace(text)
	switch kind {
	case Boolean:
		return strings.ToLower(text)
	case List:
		return strings.Join(splitList(text), ",")
	case Int, Short, Long:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
	case Double:
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			return decimal(x)
		}
	}
	return text
}

// decimal writes a number as Java does: a digit on both sides of the point, and
// an exponent for what is large or small.
func decimal(x float64) string {
	if size := math.Abs(x); size == 0 || size >= 1e-3 && size < 1e7 {
		text := strconv.FormatFloat(x, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	}
	mantissa, exponent, scientific := strings.Cut(strconv.FormatFloat(x, 'E', -1, 64), "E")
	if !scientific {
		return mantissa // NaN, or without end
	}
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	power, negative := strings.CutPrefix(exponent, "-")
	power = strings.TrimLeft(power, "+0")
	if negative {
		power = "-" + power
	}
	return mantissa + "E" + power
}
