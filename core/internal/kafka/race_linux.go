//go:build race

package kafka

const raceDetector = true
