// An adapter of `assay vectors run` for go-eventlog: the replay of a firmware log against PCR values, which it takes as they
// are sent. It reads neither the signature of the quote nor a policy.
package main

import (
	"errors"

	"github.com/google/go-eventlog/register"
	"github.com/google/go-eventlog/tcg"

	"assay/vectors/body"
)

func main() {
	body.Each(func(members body.Members) body.Answer {
		_, hasLog := members["mb_list"]
		_, hasList := members["ima_measurement_list"]
		if !hasLog || hasList {
			return body.Answer{Skip: "go-eventlog reads firmware logs alone"}
		}
		return body.Verdict(judge(members))
	})
}

func judge(members body.Members) error {
	log, err := members.Base64("mb_list")
	if err != nil {
		return err
	}
	if len(log) == 0 {
		return errors.New("the log is empty")
	}
	quote, err := members.Quote()
	if err != nil {
		return err
	}
	values, err := body.PCRs(quote[2])
	if err != nil {
		return err
	}
	var registers []register.MR
	for _, value := range values {
		registers = append(registers, register.PCR{
			Index: value.Index, Digest: value.Digest, DigestAlg: value.Bank,
		})
	}
	_, err = tcg.ParseAndReplay(log, registers, tcg.ParseOpts{AllowPadding: true})
	return err
}
