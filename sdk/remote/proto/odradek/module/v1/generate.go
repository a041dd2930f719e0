// Package modulev1 is the gRPC part of the protocol between a broker and a
// module process, generated from the .proto files beside it. Only sdk/remote
// uses it; sdk/remote/PROTOCOL.md explains it.
package modulev1

//go:generate sh -c "cd ../../.. && tool() { (cd ../../../tools && go tool -n $DOLLAR{1}); } && protoc --plugin=protoc-gen-go=$DOLLAR(tool protoc-gen-go) --plugin=protoc-gen-go-grpc=$DOLLAR(tool protoc-gen-go-grpc) --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative odradek/module/v1/*.proto"
