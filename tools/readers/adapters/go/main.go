// Readers in Go as a program for `npm run readers`: its argument names the library, and each line of its input a kind and bytes.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/go-attestation/attest"
	"github.com/google/go-eventlog/tcg"
	"github.com/google/go-tpm/tpm2"
)

type object = map[string]any

var names = map[uint8]string{4: "sha1", 11: "sha256", 12: "sha384", 13: "sha512"}

// An event with its digest of one algorithm.
type event struct {
	pcr          int
	kind         uint32
	data, digest []byte
}

// join makes one list of events out of those that a library returns for each algorithm.
func join[A ~uint8, E any](algorithms []A, of func(A) []E, read func(E) event) object {
	events := []object{}
	for _, algorithm := range algorithms {
		for at, found := range of(algorithm) {
			one := read(found)
			if at == len(events) {
				sum := sha256.Sum256(one.data)
				events = append(events, object{
					"pcr": uint32(one.pcr), "type": one.kind, "digests": object{},
					"size": len(one.data), "data": hex.EncodeToString(sum[:]),
				})
			}
			if one.digest != nil {
				events[at]["digests"].(object)[names[uint8(algorithm)]] = hex.EncodeToString(one.digest)
			}
		}
	}
	return object{"events": events}
}

func goEventlog(bytes []byte) (object, error) {
	log, err := tcg.ParseEventLog(bytes, tcg.ParseOpts{AllowPadding: true})
	if err != nil {
		return nil, err
	}
	return join(log.Algs, log.Events, func(one tcg.Event) event {
		return event{one.Index, uint32(one.Type), one.Data, one.Digest}
	}), nil
}

func goAttestation(bytes []byte) (object, error) {
	log, err := attest.ParseEventLog(bytes)
	if err != nil {
		return nil, err
	}
	return join(log.Algs, log.Events, func(one attest.Event) event {
		return event{one.Index, uint32(one.Type), one.Data, one.Digest}
	}), nil
}

func goTPM(bytes []byte) (object, error) {
	read, err := tpm2.Unmarshal[tpm2.TPMSAttest](bytes)
	if err != nil {
		return nil, err
	}
	if err := read.Magic.Check(); err != nil {
		return nil, err
	}
	out := object{
		"magic": uint32(read.Magic), "type": uint16(read.Type),
		"qualifiedSigner": hex.EncodeToString(read.QualifiedSigner.Buffer),
		"extraData":       hex.EncodeToString(read.ExtraData.Buffer),
		"clock":           fmt.Sprint(read.ClockInfo.Clock), "resetCount": read.ClockInfo.ResetCount,
		"restartCount": read.ClockInfo.RestartCount, "safe": bool(read.ClockInfo.Safe),
		"firmwareVersion": fmt.Sprint(read.FirmwareVersion),
	}
	if quote, err := read.Attested.Quote(); err == nil {
		selections := []object{}
		for _, one := range quote.PCRSelect.PCRSelections {
			selections = append(selections, object{
				"hash": uint16(one.Hash), "pcrSelect": hex.EncodeToString(one.PCRSelect),
			})
		}
		out["pcrSelect"], out["pcrDigest"] = selections, hex.EncodeToString(quote.PCRDigest.Buffer)
	}
	return object{"attest": out}, nil
}

var readers = map[string]func([]byte) (object, error){
	"go-eventlog": goEventlog, "go-attestation": goAttestation, "go-tpm": goTPM,
}

func main() {
	read := readers[os.Args[1]]
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var given struct{ Bytes string }
		if err := json.Unmarshal(line, &given); err != nil {
			panic(err)
		}
		bytes, _ := base64.StdEncoding.DecodeString(given.Bytes)
		answer, err := read(bytes)
		if err != nil {
			answer = object{"error": err.Error()}
		}
		out.Encode(answer)
	}
}
