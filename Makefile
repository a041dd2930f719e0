# Everything that is done with this repository. `make` alone lists it.

GO      ?= go
MODULES  = sdk core plugins examples tools
# Examples of third parties are modules of their own, outside the workspace.
NESTED   = $(patsubst %/go.mod,%,$(wildcard examples/*/go.mod))
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  = -s -w -X main.version=$(VERSION)
# How long `make fuzz` gives to each fuzz target.
FUZZTIME ?= 10s
# More flags for the tests, as in `make test TESTFLAGS=-v`.
TESTFLAGS ?=

# More flags for compat, as in `make compat COMPATFLAGS='-suite differential -seed 7 -requests 20000'`.
COMPATFLAGS ?=

.PHONY: help build run test race lint format vet staticcheck cross alone house generate fuzz crash bench bench-groups microbench compat churn clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: ## leave one static binary, bin/odradek
	@CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/odradek ./tools/odradek

run: build ## start a broker on 127.0.0.1:9092, data in ./data, admin on 127.0.0.1:9292
	@exec ./bin/odradek serve

test: ## run the tests of every module with Go alone
	@$(GO) test $(TESTFLAGS) $(MODULES:%=./%/...)
	@for m in $(NESTED); do (cd $$m && GOWORK=off $(GO) test $(TESTFLAGS) ./...) || exit 1; done

race: ## the same under the race detector, which takes several times as long
	@$(MAKE) --no-print-directory test TESTFLAGS='-race -timeout 40m $(TESTFLAGS)'

lint: format vet staticcheck cross alone house ## everything that reads the code and does not run it

format: ## gofmt has nothing to change
	@out=$$(gofmt -l $(MODULES)); test -z "$$out" || { echo "gofmt would change:"; echo "$$out"; exit 1; }

vet: ## go vet
	@$(GO) vet $(MODULES:%=./%/...)

staticcheck: ## staticcheck, at the version that tools/go.mod pins
	@mkdir -p bin && $(GO) build -o bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	@./bin/staticcheck $(MODULES:%=./%/...)

cross: ## the code compiles for darwin and for arm64
	@GOOS=darwin GOARCH=arm64 $(GO) build $(MODULES:%=./%/...)
	@GOOS=darwin GOARCH=amd64 $(GO) build $(MODULES:%=./%/...)
	@GOOS=linux GOARCH=arm64 $(GO) build $(MODULES:%=./%/...)

alone: ## every module compiles without the workspace
	@for m in $(MODULES) $(NESTED); do (cd $$m && GOWORK=off $(GO) vet ./...) || exit 1; done

house: ## the rules of the house
	@$(GO) test ./tools/house

generate: ## write generated code anew; needs protoc
	@mkdir -p bin
	@$(GO) build -o bin/protoc-gen-go google.golang.org/protobuf/cmd/protoc-gen-go
	@$(GO) build -o bin/protoc-gen-go-grpc google.golang.org/grpc/cmd/protoc-gen-go-grpc
	@cd sdk/remote/proto && PATH="$(CURDIR)/bin:$$PATH" protoc --go_out=. --go_opt=paths=source_relative \
		--go-grpc_out=. --go-grpc_opt=paths=source_relative odradek/module/v1/*.proto

fuzz: ## run every fuzz target for FUZZTIME
	@for m in $(MODULES); do (cd $$m && for p in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x $$p || exit 1; \
		done; done) || exit 1; done

crash: ## cut the power by five thousand seeds on what the segment storage writes
	@$(GO) test -run '^TestSeededPowerCuts$$' $(TESTFLAGS) ./plugins/storage/segment -args -seeds 5000

bench: build ## measure the broker beside Apache Kafka 4.4.0; needs java and mvn
	@cd tools && $(GO) run ./bench -odradek ../bin/odradek -kafka ../bin/kafka-4.4.0

bench-groups: build ## measure the coordinator of groups beside Apache Kafka 4.4.0; needs java and mvn
	@cd tools && $(GO) run ./benchgroups -odradek ../bin/odradek -kafka ../bin/kafka-4.4.0

microbench: ## run the benchmarks of the packages
	@$(GO) test -run '^$$' -bench . -benchmem $(MODULES:%=./%/...)

compat: build ## drive the broker with other people's clients, beside Apache Kafka; needs java, mvn, kcat, python3, npm
	@cd tools && $(GO) run ./compat -odradek ../bin/odradek -bin ../bin $(COMPATFLAGS)

churn: build ## twenty minutes of members that come, go, die and stop, by a new seed; COMPATFLAGS='-churn-seed N' repeats one
	@cd tools && $(GO) run ./compat -odradek ../bin/odradek -bin ../bin -suite '^churn$$' -churn 20m -churn-seed $$(date +%s) $(COMPATFLAGS)

clean: ## remove what was built
	@rm -rf bin
