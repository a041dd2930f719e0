// Package modulev1 is the gRPC part of the protocol between a broker and a
// module process, generated from the .proto files beside it. Only sdk/remote
// uses it; sdk/remote/PROTOCOL.md explains it. `make generate` writes it anew.
package modulev1
