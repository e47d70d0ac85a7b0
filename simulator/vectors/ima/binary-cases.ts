import { writeAsciiList } from '../../ima/ascii.ts'
import { type ImaEntry, writeImaList } from '../../ima/list.ts'
import { hashedEntry, imaEntry } from '../../ima/make-entry.ts'
import { templateData } from '../../ima/template.ts'
import { BANKS, digest } from '../../tpm/hash.ts'
import { cat, filled, text } from '../../tpm/write.ts'
import type { JsonObject, Variant } from '../form.ts'
import { bigEndian, entryBytes, fieldBytes, withEntry } from './binary-overrides.ts'
import {
  asciiList,
  binaryList,
  binaryMeasured,
  contentOf,
  EITHER,
  ENTRIES,
  MISMATCH,
  PASS,
  policyOver,
  type Row,
  UNREADABLE,
  variantsOf,
} from './list-evidence.ts'

const FIRST = 2
const PATH = '/usr/bin/first'
const NAME = text(`${PATH}\0`)

/** Case 75: the counted name of a template. */
export function templateNames(): readonly Variant[] {
  const lengths: readonly (readonly [slug: string, length: number])[] = [
    ['all-ones', 0xffffffff],
    ['zero', 0],
    ['256', 256],
  ]
  return variantsOf('e7', 75, 'list', [
    ...lengths.map(([slug, nameLength]) => ({
      slug: `length-${slug}`,
      what: `The length of a template name is ${nameLength}`,
      change: withEntry(FIRST, { nameLength }),
      ...UNREADABLE,
    })),
    {
      slug: 'of-256-bytes',
      what: 'A template name has 256 bytes and says so',
      change: withEntry(FIRST, { templateName: filled(256, 0x6e) }),
      ...UNREADABLE,
    },
    {
      slug: 'of-no-bytes',
      what: 'A template name has no bytes and says so',
      change: withEntry(FIRST, { templateName: filled(0) }),
      ...UNREADABLE,
    },
    {
      slug: 'nul-inside',
      what: 'A template name goes on after a zero byte',
      change: withEntry(FIRST, { templateName: text('ima-ng\0x') }),
      ...UNREADABLE,
    },
  ])
}

/** An entry whose digest field has these bytes, with a matching template hash; it was not extended. */
function digestField(slug: string, what: string, field: Uint8Array): Row {
  const entry = hashedEntry({ template: 'ima-ng', fields: [field, NAME] })
  const change = binaryList(writeImaList(ENTRIES.with(FIRST, entry)))
  return { slug, what, change, ...MISMATCH }
}

/** Case 76: digests without a valid prefix. */
export function digestFields(): readonly Variant[] {
  const value = contentOf(PATH)
  const sized = (size: number) => cat(text('sha1:\0'), cat(value, value).subarray(0, size))
  return variantsOf('e7', 76, 'list', [
    digestField('no-colon', 'A digest field has no colon', cat(text('sha256\0'), value)),
    digestField('no-nul', 'A digest field has no zero byte', cat(text('sha256:'), value)),
    digestField('bare', 'A digest field is the digest alone', value),
    ...[0, 19, 21, 64].map((size) =>
      digestField(`sha1-of-${size}`, `A digest of ${size} bytes is called SHA-1`, sized(size)),
    ),
  ])
}

/** Case 77: lengths that do not match their contents. */
export function fieldLengths(): readonly Variant[] {
  const [head = filled(0)] = ENTRIES[FIRST]?.fields ?? []
  const right = fieldBytes([head], [NAME])
  const rows: readonly (readonly [slug: string, what: string, change: JsonObject])[] = [
    [
      'data-one-short',
      'The length of template data is one too small',
      withEntry(FIRST, { dataLength: right.length - 1 }),
    ],
    [
      'data-one-long',
      'The length of template data is one too large',
      withEntry(FIRST, { dataLength: right.length + 1 }),
    ],
    [
      'data-all-ones',
      'The length of template data is 4294967295',
      withEntry(FIRST, { dataLength: 0xffffffff }),
    ],
  ]
  const inside: readonly (readonly [slug: string, what: string, data: Uint8Array])[] = [
    [
      'field-beyond',
      'The length of a field is more than its data has',
      fieldBytes([head], [NAME, NAME.length + 1]),
    ],
    [
      'field-all-ones',
      'The length of a field is 4294967295',
      fieldBytes([head, 0xffffffff], [NAME]),
    ],
    ['left-over', 'Three bytes follow the last field', cat(right, filled(3))],
    ['field-missing', 'The name of a file is missing', fieldBytes([head])],
    [
      'field-more',
      'A third field follows the two of the template',
      fieldBytes([head], [NAME], [NAME]),
    ],
  ]
  return variantsOf('e7', 77, 'list', [
    ...rows.map(([slug, what, change]) => ({ slug, what, change, ...UNREADABLE })),
    ...inside.map(([slug, what, data]) => ({
      slug,
      what,
      change: withEntry(FIRST, { data, templateHash: digest('sha1', data) }),
      ...MISMATCH,
    })),
    {
      slug: 'cut',
      what: 'The list ends one byte before its last entry does',
      change: binaryList(writeImaList(ENTRIES).subarray(0, -1)),
      ...UNREADABLE,
    },
    {
      slug: 'bytes-after',
      what: 'Three bytes follow the last entry',
      change: binaryList(cat(writeImaList(ENTRIES), filled(3))),
      ...UNREADABLE,
    },
  ])
}

/** Case 78: lists of big-endian machines. */
export function byteOrders(): readonly Variant[] {
  const swapped = ENTRIES.map(bigEndian)
  const mixed = ENTRIES.map((entry, at) =>
    at === FIRST ? bigEndian(entry) : writeImaList([entry]),
  )
  return variantsOf('e7', 78, 'list', [
    {
      slug: 'big-endian',
      what: 'Every integer of the list is big-endian',
      change: binaryList(cat(...swapped)),
      ...EITHER,
    },
    {
      slug: 'mixed',
      what: 'The integers of one entry are big-endian',
      change: binaryList(cat(...mixed)),
      ...UNREADABLE,
    },
  ])
}

/** Case 79: lists of kernels that print the template hash of one bank. */
export function bankLayouts(): readonly Variant[] {
  const rows = BANKS.filter((bank) => bank !== 'sha1').map((bank): Row => {
    const entries = ENTRIES.map((entry) =>
      entryBytes(entry, { templateHash: digest(bank, templateData(entry)) }),
    )
    const list = binaryList(cat(...entries))
    const what = `Template hashes are of ${bank}`
    return { slug: bank, what, change: list, ...EITHER }
  })
  return variantsOf('e7', 79, 'list', rows)
}

function original(name: string): ImaEntry {
  return imaEntry('ima', { path: name, digest: filled(20, 9) })
}

function longName(size: number): string {
  return `/${'n'.repeat(size - 1)}`
}

function named(slug: string, size: number): Row {
  const entries = [...ENTRIES, original(size === 0 ? '' : longName(size))]
  return {
    slug,
    what: `A name of ${size} bytes in the original template is allowed`,
    change: { ...binaryMeasured(entries), ...policyOver(entries) },
    ...PASS,
  }
}

/** Case 80: names in the original template, which have 255 bytes at most. */
export function originalNames(): readonly Variant[] {
  return variantsOf('e7', 80, 'list', [
    named('empty', 0),
    named('of-255', 255),
    { ...named('of-256', 256), ...EITHER },
    { ...named('of-257', 257), ...UNREADABLE },
  ])
}

/** Case 81: the list has another format than stated. */
export function swappedForms(): readonly Variant[] {
  return variantsOf('e7', 81, 'list', [
    {
      slug: 'text-as-binary',
      what: 'A text list is sent as a binary one',
      change: binaryList(writeAsciiList(ENTRIES)),
      ...UNREADABLE,
    },
    {
      slug: 'binary-as-text',
      what: 'A binary list is sent as a text',
      change: asciiList(writeImaList(ENTRIES)),
      ...UNREADABLE,
    },
  ])
}
