module assay/readers

go 1.24

require (
	github.com/google/go-attestation v0.6.4
	github.com/google/go-eventlog v0.0.2
	github.com/google/go-tpm v0.9.8
)
