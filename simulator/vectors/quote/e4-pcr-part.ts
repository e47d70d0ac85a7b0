import { writeAsciiList } from '../../ima/ascii.ts'
import { eccAttester } from '../../machine/soft-attester.ts'
import { TPM_ALG } from '../../tpm/constants.ts'
import { HASHES } from '../../tpm/hash.ts'
import { pcrBitmap } from '../../tpm/pcr-selection.ts'
import { filled } from '../../tpm/write.ts'
import type { JsonObject, Section, Variant } from '../form.ts'
import { asciiList, IMA_PCR, measuredPcr, policyOver, ran } from '../ima/list-evidence.ts'
import { recordedEvidence } from '../recorded-quote.ts'
import { broken, PASSES, unreadable, variantsOf } from '../variant.ts'
import { bankValues, pcrValue } from './attest-overrides.ts'
import { type BlobOverrides, type DigestOverrides, listsOf, soundBlob } from './blob-overrides.ts'
import { subjectVariants } from './e4-subject-data.ts'
import { pushEvidence } from './push-quote.ts'
import { claimed, softQuote, withBytes } from './soft-quote.ts'

const attester = eccAttester('adversarial')
const values = bankValues('sha256', [0, 23])
const soft = softQuote(attester, [values])
// A key with several spellings of PCR 10: 010, 0x0a, 1e1.
const measuredValues = bankValues('sha256', [0, 10])
const measured = softQuote(attester, [measuredValues])
const sha1 = bankValues('sha1', [0, 23])
const banks = softQuote(attester, [sha1, values], values)
const RAN = [ran('boot_aggregate'), ran('/usr/bin/first')]
const digests: readonly DigestOverrides[] = [...values.values.values()].map((bytes) => ({ bytes }))
const sha256 = HASHES.sha256.alg
const bitmap = pcrBitmap([0, 23], 3)

/** Case 36: valid digests under another label. */
function relabelled(): readonly Variant[] {
  const make = variantsOf('e4', 36, 'soft')
  const labelled = (hash: number, pcrs: readonly number[]) =>
    claimed(soft, { selections: [{ hash, bitmap: pcrBitmap(pcrs, 3) }] })
  const [first, second] = soundBlob([sha1, values]).selections
  const swapped = first && second ? [second, first] : []
  return [
    make(
      'bank-sha1',
      'The claimed bank is SHA-1',
      labelled(TPM_ALG.SHA1, [0, 23]),
      unreadable('quote.structure'),
    ),
    make(
      'bank-sha3',
      'The claimed bank is SHA3-256, whose digests have the same length',
      labelled(0x0027, [0, 23]),
      broken('quote.selection'),
    ),
    make(
      'pcr-22',
      'PCR 23 is claimed as PCR 22',
      labelled(sha256, [0, 22]),
      broken('quote.selection'),
    ),
    variantsOf('e4', 36, 'banks')(
      'banks-swapped',
      'The labels of the two banks have changed places',
      claimed(banks, { selections: swapped }),
      unreadable('quote.structure'),
    ),
    variantsOf('e4', 36, 'banks')(
      'banks-reordered',
      'The two banks, labels and values, have changed places',
      claimed(banks, soundBlob([values, sha1])),
      broken('quote.selection', 'quote.pcr-digest'),
    ),
  ]
}

/** Case 37: incorrect counts and sizes. */
function counts(): readonly Variant[] {
  const make = variantsOf('e4', 37, 'soft')
  const blob = (slug: string, what: string, change: Partial<BlobOverrides>) =>
    make(slug, what, claimed(soft, change), unreadable('quote.structure'))
  const sized = (size: number) => [{ digests: digests.map((one) => ({ ...one, size })) }]
  return [
    blob('nine-of-eight', 'A list of eight digests counts nine', {
      lists: [{ digests, count: 9 }],
    }),
    blob('count-greatest', 'A list counts 4294967295 digests', {
      lists: [{ digests, count: 0xffffffff }],
    }),
    blob('count-one-less', 'A list of two digests counts one', { lists: [{ digests, count: 1 }] }),
    blob('count-one-more', 'A list of two digests counts three', {
      lists: [{ digests, count: 3 }],
    }),
    blob('digest-of-65', 'The digests have 65 bytes in their buffer of 64', { lists: sized(65) }),
    blob('digest-of-65535', 'The digests have 65535 bytes', { lists: sized(0xffff) }),
    blob('digest-of-31', 'The digests have 31 bytes', { lists: sized(31) }),
    blob('no-list', 'There is no list', { lists: [] }),
    blob('lists-zero', 'The number of lists is 0 where one follows', { listCount: 0 }),
    blob('lists-17', 'The number of lists is 17 where one follows', { listCount: 17 }),
    blob('lists-greatest', 'The number of lists is 4294967295', { listCount: 0xffffffff }),
    blob('banks-17', 'The number of banks is 17 of 16', { selectionCount: 17 }),
    blob('banks-zero', 'The number of banks is 0 where one follows', { selectionCount: 0 }),
    blob('sizeof-4', 'sizeofSelect is 4', {
      selections: [{ hash: sha256, bitmap, sizeofSelect: 4 }],
    }),
    blob('sizeof-255', 'sizeofSelect is 255', {
      selections: [{ hash: sha256, bitmap, sizeofSelect: 255 }],
    }),
    blob('big-endian', 'All numbers stand most significant byte first', { bigEndian: true }),
  ]
}

const ALL = Array.from({ length: 24 }, (_, pcr) => pcr)

/** These PCRs with their values, and the list for PCR 10 if it is included. */
function amountOf(pcrs: readonly number[]): JsonObject {
  const { bank, values } = bankValues('sha256', pcrs)
  const required = { bank, values: new Map(values).set(IMA_PCR, measuredPcr(RAN)) }
  const isListed = pcrs.includes(IMA_PCR)
  const { evidence } = softQuote(attester, [isListed ? required : { bank, values }])
  const { quote = null, tpm_policy = null } = evidence
  return {
    quote,
    tpm_policy,
    ...(isListed && { ...asciiList(writeAsciiList(RAN)), ...policyOver(RAN) }),
  }
}

/** Case 38: as many PCRs as fill lists completely, and one more or less. */
function amounts(): readonly Variant[] {
  const make = variantsOf('e4', 38, 'soft')
  const others = ALL.filter((pcr) => pcr !== IMA_PCR)
  return [1, 7, 8, 9, 16, 17, 24].map((count) => {
    const pcrs = count === ALL.length ? ALL : others.slice(0, count)
    return make(`pcrs-${count}`, `${count} PCR(s) are quoted`, amountOf(pcrs), PASSES)
  })
}

/** Cases 39 to 41: values twice, in another order, or of PCRs that were not quoted. */
function values39to41(): readonly Variant[] {
  const other = { hash: sha256, bitmap: pcrBitmap([23], 3) }
  const twice = (slug: string, what: string, second: Uint8Array) =>
    variantsOf('e4', 39, 'soft')(
      slug,
      what,
      claimed(soft, {
        selections: [{ hash: sha256, bitmap }, other],
        lists: listsOf([...digests, { bytes: second }]),
      }),
      unreadable('quote.structure'),
    )
  const more = variantsOf('e4', 41, 'soft')
  const zeros = { bytes: filled(32) }
  const [zero, last] = digests
  const withSeven = zero && last ? [zero, zeros, last] : []
  return [
    twice('same-value', 'PCR 23 is claimed twice with the same value', pcrValue('sha256', 23)),
    twice('other-value', 'PCR 23 is claimed twice with different values', filled(32)),
    variantsOf('e4', 40, 'soft')(
      'swapped',
      'The values of PCR 0 and PCR 23 have changed places',
      claimed(soft, { lists: listsOf(digests.toReversed()) }),
      broken('quote.pcr-digest'),
    ),
    more(
      'value-more',
      'A value of 32 zero bytes follows those of the selection',
      claimed(soft, { lists: listsOf([...digests, zeros]) }),
      unreadable('quote.structure'),
    ),
    more(
      'pcr-7',
      'PCR 7 is claimed as 32 zero bytes, and was not quoted',
      claimed(soft, {
        selections: [{ hash: sha256, bitmap: pcrBitmap([0, 7, 23], 3) }],
        lists: listsOf(withSeven),
      }),
      broken('quote.selection', 'quote.pcr-digest'),
    ),
    more(
      'bank-more',
      'A bank that was not quoted is claimed too',
      claimed(soft, soundBlob([values, sha1])),
      broken('quote.selection', 'quote.pcr-digest'),
    ),
  ]
}

/** Case 42: other lengths than 136 + 532·n, and zeros of the right length. */
function lengths(): readonly Variant[] {
  const make = variantsOf('e4', 42, 'soft')
  const { pcrs } = soft.bytes
  const bytes = (slug: string, what: string, changed: Uint8Array) =>
    make(slug, what, withBytes(soft, { pcrs: changed }), unreadable('quote.structure'))
  return [
    bytes('of-667', 'The last of 668 bytes is missing', pcrs.subarray(0, -1)),
    bytes('of-669', 'One byte follows the 668', new Uint8Array([...pcrs, 0])),
    bytes('of-136', 'The list of digests is missing', pcrs.subarray(0, 136)),
    bytes('zeros', 'All 668 bytes are zero', filled(668)),
  ]
}

/** Section E.4: defects of the values of a quote. */
export function pcrPartSection(): Section {
  return {
    section: 'E.4',
    baselines: {
      soft: soft.evidence,
      banks: banks.evidence,
      'boot-all': recordedEvidence('rsassa_sha256_all', 'ak_rsa', 'sha256'),
      push: pushEvidence(measured, measuredValues),
    },
    variants: [
      ...relabelled(),
      ...counts(),
      ...amounts(),
      ...values39to41(),
      ...lengths(),
      ...subjectVariants(measured, measuredValues),
    ],
  }
}
