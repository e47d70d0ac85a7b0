import { ecdsaSignature } from '../../machine/soft-attester.ts'
import { bytesOf } from '../../soft/arithmetic.ts'
import type { Scalars } from '../../soft/ecdsa.ts'
import { P256_ORDER } from '../../soft/keys.ts'
import { TPM_ALG } from '../../tpm/constants.ts'
import { cat, filled, tpm2b, u16 } from '../../tpm/write.ts'
import type { JsonObject, Variant } from '../form.ts'
import { broken, type Ending, either, PASSES, unreadable, variantsOf } from '../variant.ts'
import {
  ecc,
  eccScalars,
  rsa,
  rsaBytes,
  rsaLeadingZero,
  shortScalars,
  signatureWith,
} from './e3-baselines.ts'
import { type SoftQuote, withBytes } from './soft-quote.ts'

/** Returns an RSA signature of any bytes, with an optional stated size. */
function rsaOf(baseline: SoftQuote, sig: Uint8Array, size = sig.length): JsonObject {
  const header = cat(u16(TPM_ALG.RSASSA), u16(TPM_ALG.SHA256))
  return withBytes(baseline, { signature: cat(header, tpm2b(sig, size)) })
}

/** Case 31: RSA signatures of another length than the modulus. */
function rsaLengths(): readonly Variant[] {
  const make = variantsOf('e3', 31, 'rsa')
  const sig = rsaBytes(rsa)
  const zeroFirst = rsaBytes(rsaLeadingZero)
  const fails = broken('quote.signature')
  return [
    make(
      'of-255',
      'The last byte of the signature is missing',
      rsaOf(rsa, sig.subarray(0, 255)),
      fails,
    ),
    make('of-257', 'A zero byte precedes the signature', rsaOf(rsa, cat(filled(1), sig)), fails),
    make(
      'of-257-behind',
      'A zero byte follows the signature',
      rsaOf(rsa, cat(sig, filled(1))),
      fails,
    ),
    make('of-0', 'The signature is empty', rsaOf(rsa, filled(0)), fails),
    make(
      'size-65535',
      'The size of the signature is 65535',
      rsaOf(rsa, sig, 0xffff),
      unreadable('quote.signature-form'),
    ),
    variantsOf('e3', 31, 'rsa-leading-zero')(
      'leading-zero-cut',
      'The signature begins with a zero byte, which is left out',
      rsaOf(rsaLeadingZero, zeroFirst.subarray(1)),
      fails,
    ),
  ]
}

/** Cases 32 and 33: the two numbers of an ECDSA signature. */
function eccNumbers(): readonly Variant[] {
  const make = variantsOf('e3', 32, 'ecc')
  const numbers = (change: Partial<Scalars>) =>
    withBytes(ecc, { signature: ecdsaSignature({ ...eccScalars, ...change }) })
  const fails = broken('quote.signature')
  const { r, s } = eccScalars
  return [
    make('r-zero', 'r is zero', numbers({ r: 0n }), fails),
    make('s-zero', 's is zero', numbers({ s: 0n }), fails),
    make('both-zero', 'r and s are zero', numbers({ r: 0n, s: 0n }), fails),
    make('r-order', 'r is the order of the curve', numbers({ r: P256_ORDER }), fails),
    make('s-order', 's is the order of the curve', numbers({ s: P256_ORDER }), fails),
    make(
      's-plus-order',
      's is above the order of the curve, and right modulo it',
      tooGreat(),
      fails,
    ),
    make('r-of-33', 'r has 33 bytes, the first of them one', longR(), fails),
    make('swapped', 'r and s have changed places', numbers({ r: s, s: r }), fails),
    make(
      's-negated',
      's is n − s, which verifies as well',
      numbers({ s: P256_ORDER - s }),
      either(),
    ),
    make('r-empty', 'r is empty', part('r', filled(0)), fails),
    make(
      'r-of-67',
      'r has 67 bytes, more than any curve needs',
      part('r', cat(filled(35), bytesOf(r, 32))),
      unreadable('quote.signature-form'),
    ),
    make(
      'r-of-33-leading-zero',
      'r has 33 bytes, the first of them zero',
      part('r', bytesOf(r, 33)),
      fails,
    ),
  ]
}

function part(name: 'r' | 's', bytes: Uint8Array): JsonObject {
  return withBytes(ecc, { signature: signatureWith(ecc, { [name]: bytes }) })
}

function longR(): JsonObject {
  return part('r', cat(Uint8Array.of(1), bytesOf(eccScalars.r, 32)))
}

/** s plus the order, which needs 33 bytes. */
function tooGreat(): JsonObject {
  return part('s', bytesOf(eccScalars.s + P256_ORDER, 33))
}

/** Case 33: short numbers, as TPMs write them and padded. */
function shortNumbers(): readonly Variant[] {
  const make = variantsOf('e3', 33, 'ecc')
  return (['r', 's'] as const).flatMap((name) => {
    const scalars = shortScalars(name)
    const sized = (of: 'r' | 's') => bytesOf(scalars[of], of === name ? 31 : 32)
    const short = { r: sized('r'), s: sized('s') }
    const named = (slug: string, what: string, signature: Uint8Array, ending: Ending) =>
      make(`${name}-${slug}`, `${name} ${what}`, withBytes(ecc, { signature }), ending)
    return [
      named('of-31', 'needs 31 bytes and has 31', signatureWith(ecc, short), PASSES),
      named('padded', 'needs 31 bytes and has 32', ecdsaSignature(scalars), PASSES),
    ]
  })
}

/** Cases 31 to 33 of E.3: the numbers of a signature. */
export function numberVariants(): readonly Variant[] {
  return [...rsaLengths(), ...eccNumbers(), ...shortNumbers()]
}
