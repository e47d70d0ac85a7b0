package body

import (
	"crypto"
	"encoding/binary"
	"errors"
)

// PCR is one value that is sent with a quote.
type PCR struct {
	Index  int
	Bank   crypto.Hash
	Digest []byte
}

var banks = map[uint16]crypto.Hash{4: crypto.SHA1, 11: crypto.SHA256, 12: crypto.SHA384, 13: crypto.SHA512}

// PCRs reads selections and values as tpm2_quote serialises them: C structures in little-endian order.
func PCRs(blob []byte) (all []PCR, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the PCR values end early")
		}
	}()
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	for at := 4; at < 4+8*int(min(u32(blob), 16)); at += 8 {
		for pcr := 0; pcr < 8*int(min(blob[at+2], 4)); pcr++ {
			if blob[at+3+pcr/8]&(1<<(pcr%8)) != 0 {
				all = append(all, PCR{Index: pcr, Bank: banks[u16(blob[at:])]})
			}
		}
	}
	const selections, list, digest = 132, 532, 66
	values, lists := 0, int(u32(blob[selections:]))
	for at := selections + 4; at < selections+4+list*lists; at += list {
		for slot := at + 4; slot < at+4+digest*int(min(u32(blob[at:]), 8)); slot += digest {
			all[values].Digest = blob[slot+2 : slot+2+int(u16(blob[slot:]))]
			values++
		}
	}
	if values != len(all) {
		return nil, errors.New("there are not as many values as selected PCRs")
	}
	return all, nil
}
