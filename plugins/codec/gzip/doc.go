// Package gzip is the codec of attribute 1: one gzip member (RFC 1952) a
// batch, as the Java client writes it. Batches of several members, which gzip
// allows, are read.
//
// Encoders and decoders are pooled, one pool a level: a compressor holds about
// 1 MiB, a decompressor about 45 KiB.
package gzip
