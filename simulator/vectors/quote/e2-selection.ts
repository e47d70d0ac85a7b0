import { TPM_ALG } from '../../tpm/constants.ts'
import { HASHES } from '../../tpm/hash.ts'
import { pcrBitmap } from '../../tpm/pcr-selection.ts'
import { cat, filled } from '../../tpm/write.ts'
import type { JsonObject, Variant } from '../form.ts'
import { broken, either, unreadable, variantsOf } from '../variant.ts'
import {
  type AttestOverrides,
  attestBytes,
  bankValues,
  digestOver,
  type SelectionOverrides,
} from './attest-overrides.ts'
import { type BlobOverrides, blobBytes, listsOf } from './blob-overrides.ts'
import { attester, banks, soft } from './e2-baselines.ts'
import { attested, quoteText, softQuote } from './soft-quote.ts'

const sha256 = HASHES.sha256.alg
const bitmap = pcrBitmap([0, 23], 3)
const one = (change: Partial<SelectionOverrides>): readonly SelectionOverrides[] => [
  { hash: sha256, bitmap, ...change },
]

/** Puts the same selection into the signed structure and into the PCR part. */
function alike(
  selections: readonly SelectionOverrides[],
  blob: Partial<BlobOverrides> = {},
): JsonObject {
  const message = attestBytes({ ...soft.attest, selections })
  const pcrs = blobBytes({ ...soft.blob, selections, ...blob })
  return { quote: quoteText({ message, signature: attester.sign(message), pcrs }) }
}

/** Case 22: number and choice of banks. */
function bankLists(): readonly Variant[] {
  const make = variantsOf('e2', 22, 'soft')
  const twice = [...one({ bitmap: pcrBitmap([0], 3) }), ...one({ bitmap: pcrBitmap([23], 3) })]
  const counted = (slug: string, what: string, selectionCount: number, ...more: string[]) =>
    make(slug, what, attested(soft, { selectionCount }), unreadable('quote.structure', ...more))
  const nothing: Partial<AttestOverrides> = { selections: [], pcrDigest: digestOver([]) }
  const message = attestBytes({ ...soft.attest, ...nothing })
  const none = { selections: [], lists: [] }
  return [
    make(
      'none',
      'No bank is selected',
      attested(soft, nothing),
      broken('quote.selection', 'quote.pcr-digest'),
    ),
    make(
      'none-claimed-either',
      'No bank is selected, no value is claimed, and the digest is that of nothing',
      {
        quote: quoteText({
          message,
          signature: attester.sign(message),
          pcrs: blobBytes({ ...soft.blob, ...none }),
        }),
      },
      unreadable('quote.structure'),
    ),
    make(
      'seventeen',
      'Seventeen banks are selected, one more than the structure allows',
      attested(soft, { selections: Array.from({ length: 17 }, () => one({})).flat() }),
      unreadable('quote.structure'),
    ),
    counted('count-17', 'The count of banks is 17 where one follows', 17),
    counted('count-greatest', 'The count of banks is 4294967295 where one follows', 0xffffffff),
    counted(
      'count-zero',
      'The count of banks is 0 where one follows',
      0,
      'quote.selection',
      'quote.pcr-digest',
    ),
    make(
      'bank-twice-signed',
      'The bank is signed twice, each time with one of its PCRs',
      attested(soft, { selections: twice }),
      broken('quote.selection'),
    ),
    make(
      'bank-twice',
      'The bank is signed and claimed twice, each time with one of its PCRs',
      alike(twice),
      unreadable('quote.structure'),
    ),
    make(
      'bank-without-pcrs',
      'A second bank is selected with an empty bitmap',
      attested(soft, {
        selections: [...one({}), { hash: HASHES.sha384.alg, bitmap: filled(3) }],
      }),
      either(),
    ),
  ]
}

/** Case 22: banks without usable PCRs. */
function oddBanks(): readonly Variant[] {
  const make = variantsOf('e2', 22, 'soft')
  const kinds: readonly [string, string, number][] = [
    ['null', 'the NULL algorithm', TPM_ALG.NULL],
    ['sm3', 'SM3', TPM_ALG.SM3_256],
    ['unknown', 'an algorithm that does not exist', 0x7fff],
  ]
  return kinds.flatMap(([slug, what, hash]) => [
    make(
      `bank-${slug}-signed`,
      `The signed bank is ${what}`,
      attested(soft, { selections: one({ hash }) }),
      broken('quote.selection'),
    ),
    make(
      `bank-${slug}`,
      `The bank, signed and claimed, is ${what}`,
      alike(one({ hash })),
      hash === TPM_ALG.SM3_256 ? broken('quote.selection') : unreadable('quote.structure'),
    ),
  ])
}

/** Case 23: lengths of the bitmap. */
function bitmaps(): readonly Variant[] {
  const make = variantsOf('e2', 23, 'soft')
  const sized = (size: number) =>
    make(
      `bitmap-of-${size}`,
      `The signed bitmap has ${size} byte(s)`,
      attested(soft, { selections: one({ bitmap: cat(bitmap, filled(252)).subarray(0, size) }) }),
      size === 4 ? either() : unreadable('quote.structure'),
    )
  return [
    ...[0, 1, 2, 4, 255].map(sized),
    make(
      'sizeof-255',
      'sizeofSelect is 255 where three bytes of bitmap follow',
      attested(soft, { selections: one({ sizeofSelect: 255 }) }),
      unreadable('quote.structure'),
    ),
    make(
      'pcr-24-signed',
      'The signed bitmap has four bytes and PCR 24 in it',
      attested(soft, { selections: one({ bitmap: pcrBitmap([0, 23, 24], 4) }) }),
      broken('quote.selection'),
    ),
    make(
      'pcr-31',
      'PCR 31 is signed, claimed and covered by the digest',
      pcr31(),
      unreadable('quote.structure'),
    ),
  ]
}

/** A quote whose selection, values and digest all contain a PCR 31. */
function pcr31(): JsonObject {
  const values = bankValues('sha256', [0, 23, 31])
  const selections = one({ bitmap: pcrBitmap([0, 23, 31], 4) })
  const message = attestBytes({ ...soft.attest, selections, pcrDigest: digestOver([values]) })
  const lists = listsOf([...values.values.values()].map((bytes) => ({ bytes })))
  const pcrs = blobBytes({ selections, lists })
  return { quote: quoteText({ message, signature: attester.sign(message), pcrs }) }
}

/** Case 24: another selection than requested. */
function otherSelections(): readonly Variant[] {
  const make = variantsOf('e2', 24, 'soft')
  const quoteOf = (...parts: Parameters<typeof bankValues>) => {
    const { quote = null } = softQuote(attester, [bankValues(...parts)]).evidence
    return { quote }
  }
  return [
    make(
      'superset',
      'A PCR that was not requested is quoted too',
      quoteOf('sha256', [0, 16, 23]),
      either(),
    ),
    make(
      'subset',
      'A PCR that the policy asks for is not quoted',
      quoteOf('sha256', [23]),
      broken('quote.selection'),
    ),
    make(
      'another-bank',
      'The same PCRs are quoted in another bank',
      quoteOf('sha1', [0, 23]),
      broken('quote.selection'),
    ),
    make(
      'mask-reversed-signed',
      'The bytes of the signed bitmap are in reversed order',
      attested(soft, { selections: one({ bitmap: bitmap.slice().reverse() }) }),
      broken('quote.selection'),
    ),
    make(
      'mask-reversed',
      'The bytes of the bitmap, signed and claimed, are in reversed order',
      alike(one({ bitmap: bitmap.slice().reverse() })),
      broken('quote.selection'),
    ),
  ]
}

/** Case 25: digests over the right values, computed incorrectly. */
function digests(): readonly Variant[] {
  const make = variantsOf('e2', 25, 'banks')
  const [first, second] = [bankValues('sha1', [23]), bankValues('sha256', [0, 23])]
  const over = (slug: string, what: string, pcrDigest: Uint8Array) =>
    make(slug, what, attested(banks, { pcrDigest }), broken('quote.pcr-digest'))
  return [
    over(
      'bank-hash',
      'The digest uses the hash of the first bank in place of that of the signature',
      digestOver([first, second], 'sha1'),
    ),
    over(
      'bank-order',
      'The digest is over the values with the banks in another order',
      digestOver([second, first]),
    ),
    over(
      'one-bank',
      'The digest is over the values of the judged bank alone',
      digestOver([second]),
    ),
  ]
}

/** Cases 22 to 25 of E.2: the quoted PCRs. */
export function selectionVariants(): readonly Variant[] {
  return [...bankLists(), ...oddBanks(), ...bitmaps(), ...otherSelections(), ...digests()]
}
