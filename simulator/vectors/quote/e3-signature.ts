import { eccAttester, rsaSignature } from '../../machine/soft-attester.ts'
import { TPM_ALG } from '../../tpm/constants.ts'
import { cat, filled, u16 } from '../../tpm/write.ts'
import type { Section, Variant } from '../form.ts'
import { recordedEvidence } from '../recorded-quote.ts'
import { broken, either, PASSES, unreadable, variantsOf } from '../variant.ts'
import {
  ecc,
  eccKey,
  pss,
  pssKey,
  rsa,
  rsaBytes,
  rsaKey,
  rsaLeadingZero,
  signatureWith,
} from './e3-baselines.ts'
import { numberVariants } from './e3-numbers.ts'
import { base64, type SoftQuote, withBytes } from './soft-quote.ts'

const HEADER = 4

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))
}

/** Case 26: one bit of the signature flipped, in its number and not in its header. */
function flips(baseline: SoftQuote, of: string): readonly Variant[] {
  const make = variantsOf('e3', 26, of)
  const { signature } = baseline.bytes
  // An ECDSA signature is two sized numbers, an RSA signature one.
  const places: readonly [string, number][] = [
    ['first', HEADER + 2],
    ['middle', HEADER + 2 + 20],
    ['last', signature.length - 1],
  ]
  return places.map(([slug, at]) =>
    make(
      `${of}-${slug}-byte`,
      `One bit of the ${slug} part of the ${of} signature is turned`,
      withBytes(baseline, { signature: flipped(signature, at) }),
      broken('quote.signature'),
    ),
  )
}

/** Case 27: a signature of another type than the key. */
function otherKinds(): readonly Variant[] {
  const ending = broken('quote.algorithms', 'quote.signature')
  return [
    variantsOf('e3', 27, 'rsa')(
      'ecdsa-with-rsa-key',
      'An ECDSA signature over the message comes with an RSA key',
      withBytes(rsa, { signature: eccKey.sign(rsa.bytes.message) }),
      ending,
    ),
    variantsOf('e3', 27, 'ecc')(
      'rsa-with-ecc-key',
      'An RSASSA signature over the message comes with a P-256 key',
      withBytes(ecc, { signature: rsaKey.sign(ecc.bytes.message) }),
      ending,
    ),
    variantsOf('e3', 27, 'ecc')(
      'key-of-another',
      'The key is another one of the same kind than the one that signed',
      { attestation_key: base64(eccAttester('somebody else').public) },
      broken('quote.signature'),
    ),
  ]
}

/** Case 28: RSAPSS in place of RSASSA, and salts that a TPM does not use. */
function pssInPlace(): readonly Variant[] {
  const make = variantsOf('e3', 28, 'rsa')
  const salted = (length: number) =>
    rsaSignature(rsaKey.pss(rsa.bytes.message, filled(length, 0x5a)), TPM_ALG.RSAPSS)
  const own = (length: number) =>
    rsaSignature(pssKey.pss(pss.bytes.message, filled(length, 0x5a)), TPM_ALG.RSAPSS)
  return [
    make(
      'relabelled',
      'The scheme says RSAPSS over the bytes of an RSASSA signature',
      withBytes(rsa, { signature: signatureWith(rsa, { sigAlg: TPM_ALG.RSAPSS }) }),
      broken('quote.algorithms', 'quote.signature'),
    ),
    ...[0, 32, 222].map((length) =>
      make(
        `pss-salt-${length}`,
        `A right RSAPSS signature with ${length} bytes of salt comes with an RSASSA key`,
        withBytes(rsa, { signature: salted(length) }),
        broken('quote.algorithms'),
      ),
    ),
    // TPMs use a salt of the digest's length or of the maximum length (Part 1, B.7), never an empty one.
    ...(
      [
        [0, either()],
        [222, PASSES],
      ] as const
    ).map(([length, ending]) =>
      variantsOf('e3', 28, 'pss')(
        `own-salt-${length}`,
        `An RSAPSS signature by an RSAPSS key has ${length} bytes of salt`,
        withBytes(pss, { signature: own(length) }),
        ending,
      ),
    ),
  ]
}

/** Case 29: another hash than that of the key's scheme. */
function otherHashes(): readonly Variant[] {
  const make = variantsOf('e3', 29, 'ecc')
  const stated = (hash: number) => withBytes(ecc, { signature: signatureWith(ecc, { hash }) })
  const sha1 = withBytes(ecc, { signature: eccKey.sign(ecc.bytes.message, 'sha1') })
  return [
    make(
      'sha1',
      'The signature is a right one with SHA-1',
      sha1,
      broken('quote.algorithms', 'quote.pcr-digest'),
    ),
    make(
      'sha1-relabelled',
      'The signature says SHA-1 and was made with SHA-256',
      stated(TPM_ALG.SHA1),
      broken('quote.algorithms', 'quote.signature', 'quote.pcr-digest'),
    ),
    make(
      'null',
      'The hash of the signature is the NULL algorithm',
      stated(TPM_ALG.NULL),
      broken('quote.algorithms', 'quote.signature'),
    ),
  ]
}

/** Case 30: schemes that prove nothing here, over the bytes of a valid signature. */
function otherSchemes(): readonly Variant[] {
  const make = variantsOf('e3', 30, 'ecc')
  const relabelled = (sigAlg: number) =>
    withBytes(ecc, { signature: cat(u16(sigAlg), ecc.bytes.signature.subarray(2)) })
  const kinds: readonly [string, string, number][] = [
    ['ecdaa', 'ECDAA', TPM_ALG.ECDAA],
    ['ecschnorr', 'ECSCHNORR', TPM_ALG.ECSCHNORR],
    ['sm2', 'SM2', TPM_ALG.SM2],
  ]
  return [
    ...kinds.map(([slug, name, alg]) =>
      make(
        slug,
        `The scheme says ${name} over the numbers of an ECDSA signature`,
        relabelled(alg),
        broken('quote.algorithms', 'quote.signature'),
      ),
    ),
    make(
      'hmac',
      'The scheme says HMAC',
      relabelled(TPM_ALG.HMAC),
      unreadable('quote.signature-form'),
    ),
    make(
      'null',
      'The scheme says NULL, which has no signature at all',
      withBytes(ecc, { signature: u16(TPM_ALG.NULL) }),
      unreadable('quote.signature-form'),
    ),
    make(
      'unknown',
      'The scheme does not exist',
      relabelled(0x7fff),
      unreadable('quote.signature-form'),
    ),
  ]
}

/** Case 34: signatures without the structure around them. */
function bareSignatures(): readonly Variant[] {
  const der = (part: Uint8Array) => {
    const positive = (part[0] ?? 0) < 0x80 ? part : cat(filled(1), part)
    return cat(Uint8Array.of(0x02, positive.length), positive)
  }
  const { signature } = ecc.bytes
  const numbers = cat(der(signature.subarray(6, 38)), der(signature.subarray(40)))
  return [
    variantsOf('e3', 34, 'ecc')(
      'der',
      'The ECDSA signature comes as DER',
      withBytes(ecc, { signature: cat(Uint8Array.of(0x30, numbers.length), numbers) }),
      unreadable('quote.signature-form'),
    ),
    variantsOf('e3', 34, 'rsa')(
      'bare',
      'The RSA signature comes as its 256 bytes, without scheme, hash and size',
      withBytes(rsa, { signature: rsaBytes(rsa) }),
      unreadable('quote.signature-form'),
    ),
  ]
}

/** Case 35: bytes that follow the structure. */
function trailing(): readonly Variant[] {
  return [1, 700].map((count) =>
    variantsOf('e3', 35, 'ecc')(
      `trailing-${count}`,
      `${count} more byte(s) follow the signature`,
      withBytes(ecc, { signature: cat(ecc.bytes.signature, filled(count)) }),
      unreadable('quote.signature-form'),
    ),
  )
}

/** Section E.3: defects of a TPMT_SIGNATURE. */
export function signatureSection(): Section {
  return {
    section: 'E.3',
    baselines: {
      ecc: ecc.evidence,
      rsa: rsa.evidence,
      pss: pss.evidence,
      'rsa-leading-zero': rsaLeadingZero.evidence,
      'boot-ecc': recordedEvidence('ecdsa256_sha256_10_16', 'ak_ecc256', 'sha256'),
      'boot-pss': recordedEvidence('rsapss_sha256_10_16', 'ak_rsapss', 'sha256'),
    },
    variants: [
      ...flips(ecc, 'ecc'),
      ...flips(rsa, 'rsa'),
      ...flips(pss, 'pss'),
      ...otherKinds(),
      ...pssInPlace(),
      ...otherHashes(),
      ...otherSchemes(),
      ...numberVariants(),
      ...bareSignatures(),
      ...trailing(),
    ],
  }
}
