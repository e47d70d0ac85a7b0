import { describe, expect, test } from 'vitest'
import { concat } from '../../bytes/writer.ts'
import { hashById } from '../../tpm/algorithms.ts'
import { decode } from '../../tpm/codec.ts'
import { type Signature, TPMT_SIGNATURE } from '../../tpm/signature.ts'
import { flipped, recorded } from '../../tpm/testing/recorded-boot.ts'
import { verifySignature } from '../../tpm/verify-signature.ts'
import { readAttestationKey } from '../quote/read-attestation-key.ts'
import { ask, each, isThere, put, scratch } from '../testing/oracles/ask.ts'
import { distinct, faultsOf } from '../testing/oracles/faults.ts'
import { RECORDED_QUOTES } from '../testing/recorded-case.ts'

const TOOL = 'openssl'

interface Case {
  readonly name: string
  readonly key: string
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** Places of the header, the first number and the second of a TPMT_SIGNATURE. */
const PLACES = [6, 7, 20, 37, 40, 60, -1]

const CASES: readonly Case[] = RECORDED_QUOTES.flatMap(({ file, key }) => {
  const [message, signature] = [recorded(`${file}.attest`), recorded(`${file}.sig`)]
  const changed = PLACES.map((place) => {
    const at = place < 0 ? signature.length + place : place
    return { name: `${file}, byte ${at}`, key, message, signature: flipped(signature, at) }
  })
  return [
    { name: file, key, message, signature },
    { name: `${file}, message`, key, message: flipped(message, 50), signature },
    {
      name: `${file}, other key`,
      key: key === 'ak_rsa' ? 'ak_rsapss' : 'ak_rsa',
      message,
      signature,
    },
    ...changed,
  ]
})

/** INTEGER of DER, which has no needless zeros and is not negative. */
function integer(number: Uint8Array): Uint8Array {
  const start = number.findIndex((byte) => byte !== 0)
  const digits = start < 0 ? Uint8Array.of(0) : number.subarray(start)
  const sign = (digits[0] ?? 0) >= 0x80 ? [0] : []
  return Uint8Array.of(2, digits.length + sign.length, ...sign, ...digits)
}

function bare(signature: Signature): Uint8Array {
  if (signature.kind === 'rsassa' || signature.kind === 'rsapss') return signature.value.sig
  if (signature.kind !== 'ecdsa') throw new TypeError(`no bare form of ${signature.kind}`)
  const both = concat(integer(signature.value.signatureR), integer(signature.value.signatureS))
  return concat(Uint8Array.of(0x30, both.length), both)
}

const PSS = ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:auto']

async function theirs(one: Case, directory: string, index: number): Promise<boolean> {
  const signature = decode(TPMT_SIGNATURE, one.signature)
  const digest = hashById(signature.value.hash)?.digest ?? ''
  const [pem = '', message = '', sig = ''] = put(directory, {
    [`${index}.pem`]: recorded(`${one.key}.pem`),
    [`${index}.message`]: one.message,
    [`${index}.sig`]: bare(signature),
  })
  const padding = signature.kind === 'rsapss' ? PSS : []
  const words = ['dgst', `-${digest}`, ...padding, '-verify', pem, '-signature', sig, message]
  return (await ask(TOOL, words)).accepts
}

function ours({ key, message, signature }: Case): boolean {
  const { value } = readAttestationKey(recorded(`${key}.tpm2b_public`))
  if (!value) throw new Error(`${key} cannot be read`)
  return verifySignature(value.key, decode(TPMT_SIGNATURE, signature), message).ok
}

describe.skipIf(!isThere(TOOL))(TOOL, () => {
  test('verifies the signatures that we verify, and no other', async () => {
    const directory = scratch()
    const verified = CASES.filter(ours)
    const answers = await each(CASES, (one, index) => theirs(one, directory, index))
    const found = CASES.filter((one, index) => answers[index] !== ours(one))
    expect(distinct(found.map(({ name }) => name))).toEqual(distinct(faultsOf(TOOL)))
    expect(verified.map(({ name }) => name)).toEqual(RECORDED_QUOTES.map(({ file }) => file))
  }, 60_000)
})
