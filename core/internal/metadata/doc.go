// Package metadata is the cluster's metadata as pure values: records, the image
// that they lead to, and the plans that turn a request into records.
//
// A plan reads an [Image] and returns records; the controller appends them to
// the metadata log; [Apply] turns the image and one committed record into the
// next image. Every broker applies the same records in the same order and so
// holds the same image. Nothing here reads a clock, draws a random number or
// touches a disk: what a plan needs of these is an argument.
package metadata
