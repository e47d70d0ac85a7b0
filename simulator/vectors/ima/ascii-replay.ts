import { writeAsciiEntry, writeAsciiList } from '../../ima/ascii.ts'
import type { ImaEntry } from '../../ima/list.ts'
import { imaEntry } from '../../ima/make-entry.ts'
import { digest } from '../../tpm/hash.ts'
import { text } from '../../tpm/write.ts'
import type { JsonObject, LongText, Variant } from '../form.ts'
import { base64 } from '../quote/soft-quote.ts'
import {
  against,
  asciiList,
  asciiMeasured,
  EITHER,
  ENTRIES,
  MISMATCH,
  PASS,
  policyOver,
  quoteOver,
  type Row,
  ran,
  UNREADABLE,
  variantsOf,
} from './list-evidence.ts'

function handed(entries: readonly ImaEntry[]): JsonObject {
  return asciiList(writeAsciiList(entries))
}

/** Case 70: a list that is shorter, longer or in another order than the extensions of PCR 10. */
export function otherLists(): readonly Variant[] {
  const [first, second, third, ...rest] = ENTRIES.map((entry) => [entry])
  const inOrder = (...parts: (readonly ImaEntry[] | undefined)[]) =>
    handed(parts.flatMap((part) => part ?? []))
  return variantsOf('e6', 70, 'list', [
    {
      slug: 'truncated',
      what: 'The last entry is missing',
      change: handed(ENTRIES.slice(0, -1)),
      ...MISMATCH,
    },
    {
      slug: 'removed',
      what: 'An entry in the middle is missing',
      change: inOrder(first, second, ...rest),
      ...MISMATCH,
    },
    {
      slug: 'swapped',
      what: 'Two entries have changed places',
      change: inOrder(first, third, second, ...rest),
      ...MISMATCH,
    },
    {
      slug: 'duplicated',
      what: 'An entry is there twice',
      change: inOrder(first, second, third, third, ...rest),
      ...MISMATCH,
    },
    {
      slug: 'longer',
      what: 'Three allowed files ran after the quote was made',
      change: handed([...ENTRIES, ...ENTRIES.slice(2)]),
      ...PASS,
    },
  ])
}

/** Case 71: the first entry of every list. */
export function bootAggregates(): readonly Variant[] {
  const [, ...files] = ENTRIES
  const measured = (...values: readonly Uint8Array[]) =>
    values.map((value) => imaEntry('ima-ng', { path: 'boot_aggregate', digest: value }))
  const wrong = measured(digest('sha256', text('another boot')))
  const sha1 = measured(digest('sha1', text('PCR 0 to 7 of the SHA-1 bank')))
  const unlisted = against('ima.validation.ima-ng.runtime_policy_hash')
  return variantsOf('e6', 71, 'list', [
    {
      slug: 'absent',
      what: 'The list was measured without a boot_aggregate',
      change: asciiMeasured(files),
      ...EITHER,
    },
    {
      slug: 'twice',
      what: 'A second boot_aggregate was measured later, as after kexec',
      change: asciiMeasured([...ENTRIES, ...ENTRIES.slice(0, 1)]),
      ...EITHER,
    },
    {
      slug: 'wrong',
      what: 'The boot_aggregate is another one than the policy lists',
      change: asciiMeasured([...wrong, ...files]),
      ...unlisted,
    },
    {
      slug: 'sha1',
      what: 'The boot_aggregate is that of the SHA-1 bank, which the policy does not list',
      change: asciiMeasured([...sha1, ...files]),
      ...unlisted,
    },
  ])
}

/** Case 72: the stated start of the list; no earlier entries were certified. */
export function offsets(): readonly Variant[] {
  const offsetOf: readonly (readonly [slug: string, offset: number | string | null])[] = [
    ['negative', -1],
    ['text', '0'],
    ['two-to-the-31', 2 ** 31],
    ['beyond', 99],
    ['inside', 2],
    ['null', null],
  ]
  return variantsOf(
    'e6',
    72,
    'list',
    offsetOf.map(([slug, starting_offset]): Row => {
      const what = `The list is said to start at ${JSON.stringify(starting_offset)}`
      const ima = { ...(handed(ENTRIES).ima as JsonObject), starting_offset }
      return { slug, what, change: { ima }, ...MISMATCH }
    }),
  )
}

/** A file whose line has a length of whole base64 groups. */
function alignedFile(before: number): ImaEntry {
  const names = ['/usr/bin/x', '/usr/bin/xx', '/usr/bin/xxx'].map((path) => ran(path))
  const fitting = names.find((entry) => (before + writeAsciiEntry(entry).length) % 3 === 0)
  if (fitting === undefined) throw new RangeError('no name of three lengths fits')
  return fitting
}

/** The baseline's list, followed by long data that no quote covers. */
function continued(entries: readonly ImaEntry[], more: LongText): JsonObject {
  const list = { $concat: [base64(writeAsciiList(entries)), more] }
  return { ...quoteOver(entries), ...asciiList(list), ...policyOver(entries) }
}

const MANY = 100_000
const LINE_BYTES = 64 * 1024 * 1024

/** Case 73: long lists. */
export function longLists(): readonly Variant[] {
  const file = alignedFile(0)
  const entries = [...ENTRIES, file]
  const aligned = [...entries, alignedFile(writeAsciiList(entries).length)]
  const line = base64(writeAsciiEntry(file))
  return variantsOf('e6', 73, 'list', [
    {
      slug: 'many-entries',
      what: 'An allowed file ran 100,000 times after the quote was made',
      change: continued(aligned, { $repeat: line, count: MANY }),
      ...EITHER,
    },
    {
      slug: 'long-line',
      what: 'A line of 64 MiB follows',
      change: continued(aligned, {
        $repeat: base64(text('AAA')),
        count: Math.ceil(LINE_BYTES / 3),
      }),
      ...UNREADABLE,
    },
  ])
}
