import { filled } from '../../tpm/write.ts'
import type { JsonObject, Variant } from '../form.ts'
import { recordedBytes } from '../recorded-quote.ts'
import { broken, shortened, unreadable, variantsOf } from '../variant.ts'
import { attestBytes } from './attest-overrides.ts'
import { soft } from './e2-baselines.ts'
import { attested, quoteText, signed } from './soft-quote.ts'

const { pcrDigest } = soft.attest

/** Case 17: sizes of TPM2Bs that do not match their contents. */
function falseSizes(): readonly Variant[] {
  const make = variantsOf('e2', 17, 'soft')
  const { attest } = soft
  // After extraData come the clock (17 bytes), the firmware version, the selection and the digest.
  const left = attestBytes(attest).length - (4 + 2 + 2 + attest.qualifiedSigner.length + 2)
  const stated = (slug: string, what: string, change: Parameters<typeof attested>[1]) =>
    make(slug, what, attested(soft, change), unreadable('quote.structure'))
  return [
    stated('signer-size-65535', 'The size of qualifiedSigner is 65535', {
      qualifiedSignerSize: 0xffff,
    }),
    stated(
      'nonce-size-past-end',
      'The size of extraData is one more than the bytes that are left',
      {
        extraDataSize: left + 1,
      },
    ),
    stated('nonce-size-one-less', 'The size of extraData is one less than its bytes', {
      extraDataSize: attest.extraData.length - 1,
    }),
    stated('digest-size-65535', 'The size of pcrDigest is 65535', { pcrDigestSize: 0xffff }),
    stated('digest-size-33', 'The size of pcrDigest is 33 where 32 bytes follow', {
      pcrDigestSize: 33,
    }),
  ]
}

/** Case 17: digests of another length than the hash of the signature. */
function falseDigests(): readonly Variant[] {
  const make = variantsOf('e2', 17, 'soft')
  const longer = new Uint8Array([...pcrDigest, ...filled(32)])
  return [
    ...[0, 19, 31, 33, 64].map((length) =>
      make(
        `digest-of-${length}`,
        `pcrDigest has ${length} bytes: the right digest, cut or extended`,
        attested(soft, { pcrDigest: longer.subarray(0, length) }),
        broken('quote.pcr-digest'),
      ),
    ),
    make(
      'digest-size-31',
      'The size of pcrDigest is 31 where 32 bytes follow',
      attested(soft, { pcrDigestSize: 31 }),
      unreadable('quote.structure', 'quote.pcr-digest'),
    ),
  ]
}

/** Case 19: the structure truncated at every byte. */
function cuts(): readonly Variant[] {
  const whole = soft.bytes.message
  const boot = recordedBytes('rsassa_multibank')
  const cut = (length: number): JsonObject => {
    const { quote } = signed(soft, whole.subarray(0, length))
    return { quote: shortened(String(quote)) }
  }
  return [
    variantsOf('e2', 19, 'soft')(
      'cut-signed',
      'The structure ends early, at any of its bytes, and what is left is signed',
      Array.from({ length: whole.length - 1 }, (_, at) => cut(at + 1)),
      { outcome: 'malformed', type: 'quote_validation.invalid_quote' },
    ),
    variantsOf('e2', 19, 'soft')(
      'cut-to-nothing',
      'Nothing of the structure is left, and nothing is signed',
      cut(0),
      { outcome: 'malformed', checks: [] },
    ),
    variantsOf('e2', 19, 'multibank')(
      'cut-recorded',
      'A recorded structure of 145 bytes ends early, at the boundaries of its fields and in the last of them',
      [4, 6, 42, 64, 81, 89, 93, 99, 105, 111, 113, 144].map((length) => ({
        quote: shortened(quoteText({ ...boot, message: boot.message.subarray(0, length) })),
      })),
      unreadable('quote.structure', 'quote.signature'),
    ),
  ]
}

/** Cases 17 and 19 of E.2: incorrect lengths. */
export function sizeVariants(): readonly Variant[] {
  return [...falseSizes(), ...falseDigests(), ...cuts()]
}
