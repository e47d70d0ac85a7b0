// An adapter of `assay vectors run` for go-attestation: the quote, and the replay of a firmware log.
package main

import (
	"github.com/google/go-attestation/attest"

	"assay/vectors/body"
)

func main() {
	body.Each(func(members body.Members) body.Answer {
		if _, has := members["ima_measurement_list"]; has {
			return body.Answer{Skip: "go-attestation reads no measurement list"}
		}
		return body.Verdict(judge(members))
	})
}

func judge(members body.Members) error {
	key, err := members.Base64("tpm_ak")
	if err != nil {
		return err
	}
	quote, err := members.Quote()
	if err != nil {
		return err
	}
	values, err := body.PCRs(quote[2])
	if err != nil {
		return err
	}
	// TPMT_PUBLIC, without the size that precedes it.
	public, err := attest.ParseAKPublic(key[min(2, len(key)):])
	if err != nil {
		return err
	}
	pcrs := make([]attest.PCR, len(values))
	for at, value := range values {
		pcrs[at] = attest.PCR{Index: value.Index, Digest: value.Digest, DigestAlg: value.Bank}
	}
	nonce, _ := members["nonce"].(string)
	quotes := []attest.Quote{{Quote: quote[0], Signature: quote[1]}}
	if err := public.VerifyAll(quotes, pcrs, []byte(nonce)); err != nil {
		return err
	}
	if _, has := members["mb_list"]; !has {
		return nil
	}
	bytes, err := members.Base64("mb_list")
	if err != nil {
		return err
	}
	log, err := attest.ParseEventLog(bytes)
	if err != nil {
		return err
	}
	_, err = log.Verify(pcrs)
	return err
}
