module odradek.dev/examples

go 1.26.0

require (
	odradek.dev/core v0.0.0
	odradek.dev/plugins v0.0.0
	odradek.dev/sdk v0.0.0
)

require (
	github.com/fatih/color v1.13.0 // indirect
	github.com/hashicorp/go-hclog v1.6.3 // indirect
	github.com/mattn/go-colorable v0.1.12 // indirect
	github.com/mattn/go-isatty v0.0.17 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	github.com/twmb/franz-go v1.22.3 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace (
	odradek.dev/core => ../core
	odradek.dev/plugins => ../plugins
	odradek.dev/sdk => ../sdk
)
