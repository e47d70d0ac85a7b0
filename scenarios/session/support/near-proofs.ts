import { type MutateAttest, type ProofDefect, rsaSignature, TPM_ST } from './engine.ts'

type Miss = readonly [requirement: string, says: string, defect: ProofDefect]
type ChangeBytes = (challenge: Uint8Array) => Uint8Array

const COMPARED = 8
const ONE_BYTE = Uint8Array.of(0)

function over(says: string, change: ChangeBytes): Miss {
  const attest: MutateAttest = (one) => ({ ...one, extraData: change(one.extraData) })
  return ['SES-PROOF-OVER-CHALLENGE', `over ${says}`, { attest }]
}

function ofType(says: string, type: number): Miss {
  return [
    'SES-PROOF-IS-CERTIFICATION',
    `of the type ${says}`,
    { attest: (one) => ({ ...one, type }) },
  ]
}

function withMagic(says: string, magic: number): Miss {
  return ['SES-PROOF-MAGIC', `with ${says} of the magic`, { attest: (one) => ({ ...one, magic }) }]
}

/** The bytes with each letter in the other case; if there is no letter, with another last byte. */
const inOtherCase: ChangeBytes = (bytes) => {
  const changed = bytes.map((byte) =>
    /[A-Za-z]/.test(String.fromCharCode(byte)) ? byte ^ 0x20 : byte,
  )
  return Buffer.compare(changed, bytes) === 0 ? inverted(-1)(bytes) : changed
}

/** The bytes with those of a range inverted. */
function inverted(from: number, to?: number): ChangeBytes {
  return (bytes) => {
    const changed = Uint8Array.from(bytes)
    const part = changed.subarray(from, to)
    part.set(part.map((byte) => byte ^ 0xff))
    return changed
  }
}

const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

/** Certifications by the enrolled key, each of which differs from a valid one in one place. */
export const MISSES: readonly Miss[] = [
  over('a challenge whose first eight bytes are right', inverted(COMPARED)),
  over('a challenge whose last eight bytes are right', inverted(0, -COMPARED)),
  over('a challenge whose last byte is wrong', inverted(-1)),
  over('a challenge whose first byte is wrong', inverted(0, 1)),
  over('a challenge of the right length', inverted(0)),
  over('the challenge without its last byte', (own) => own.subarray(0, -1)),
  over('the first eight bytes of the challenge', (own) => own.subarray(0, COMPARED)),
  over('the challenge and a byte more', (own) => joined(own, ONE_BYTE)),
  over('a byte and the challenge', (own) => joined(ONE_BYTE, own)),
  over('the challenge twice', (own) => joined(own, own)),
  over('the challenge with its letters in the other case', inOtherCase),
  over('nothing', () => new Uint8Array()),
  ofType('TPM_ST_ATTEST_NV', TPM_ST.ATTEST_NV),
  ofType('TPM_ST_ATTEST_COMMAND_AUDIT', TPM_ST.ATTEST_COMMAND_AUDIT),
  ofType('TPM_ST_ATTEST_SESSION_AUDIT', TPM_ST.ATTEST_SESSION_AUDIT),
  ofType('TPM_ST_ATTEST_QUOTE', TPM_ST.ATTEST_QUOTE),
  ofType('TPM_ST_ATTEST_TIME', TPM_ST.ATTEST_TIME),
  ofType('TPM_ST_ATTEST_CREATION', TPM_ST.ATTEST_CREATION),
  withMagic('the first half', 0xff540000),
  withMagic('the second half', 0x00004347),
  [
    'SES-PROOF-NOTHING-AFTER',
    'with a byte after its signature',
    { signature: (signature) => joined(signature, ONE_BYTE) },
  ],
  [
    'SES-PROOF-SIGNATURE',
    'whose signature is cut after its algorithms',
    { signature: (signature) => signature.subarray(0, 4) },
  ],
  [
    'SES-PROOF-SIGNATURE',
    'with a signature by another kind of key',
    { signature: () => rsaSignature(new Uint8Array(256).fill(1)) },
  ],
]
