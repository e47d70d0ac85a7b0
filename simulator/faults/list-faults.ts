import { hashedEntry, imaEntry } from '../ima/make-entry.ts'
import type { Bytes } from '../platform/outputs.ts'
import { cat, filled, text } from '../tpm/write.ts'
import type { Fault } from './fault.ts'

const NEWLINE = 0x0a
const LINE_BYTES = 64 * 1024 * 1024
const MANY = 1_000_000

/** Index of an entry in the middle of a list, neither the first nor the last. */
function middle(list: { readonly length: number }): number {
  return list.length >> 1
}

function replaceAll(from: string, to: string): Bytes {
  return (bytes) => {
    const replaced = Buffer.from(bytes).toString('latin1').replaceAll(from, to)
    return new Uint8Array(Buffer.from(replaced, 'latin1'))
  }
}

function withoutFinalNewline(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === NEWLINE ? bytes.subarray(0, -1) : bytes
}

/** Copies of one entry that extend the list to a million entries. */
function manyLines(bytes: Uint8Array): Uint8Array {
  const lines = bytes.filter((byte) => byte === NEWLINE).length
  const zeros = '0'.repeat(64)
  const line = text(`10 ${'1'.repeat(40)} ima-ng sha256:${zeros} /usr/bin/a\n`)
  const filler = new Uint8Array(line.length * Math.max(0, MANY - lines))
  for (let at = 0; at < filler.length; at += line.length) filler.set(line, at)
  return cat(bytes, filler)
}

/** Faults of the measurement list, which PCR 10 contradicts. */
export const LIST_FAULTS: readonly Fault[] = [
  {
    name: 'list-empty',
    what: 'the list is empty',
    cases: [58],
    outcome: 'refused',
    mutations: { ima: () => [] },
  },
  {
    name: 'list-truncated',
    what: 'the list lacks its last entry',
    cases: [70],
    outcome: 'refused',
    mutations: { ima: (entries) => entries.slice(0, -1) },
  },
  {
    name: 'list-extended',
    what: 'the list has one entry that was not extended into a PCR',
    cases: [70],
    outcome: 'either',
    mutations: {
      ima: (entries) => [
        ...entries,
        imaEntry('ima-sig', { path: '/usr/bin/never-run', digest: filled(32, 0x2a) }),
      ],
    },
  },
  {
    name: 'entry-removed',
    what: 'an entry in the middle of the list is missing',
    cases: [70],
    outcome: 'refused',
    mutations: { ima: (entries) => entries.toSpliced(middle(entries), 1) },
  },
  {
    name: 'entries-swapped',
    what: 'the first two entries of the list have changed places',
    cases: [70],
    outcome: 'refused',
    mutations: { ima: (entries) => [...entries.slice(0, 2).reverse(), ...entries.slice(2)] },
  },
  {
    name: 'entry-duplicated',
    what: 'an entry in the middle of the list is duplicated',
    cases: [70],
    outcome: 'refused',
    mutations: {
      ima: (entries) =>
        entries.toSpliced(
          middle(entries),
          0,
          ...entries.slice(middle(entries), middle(entries) + 1),
        ),
    },
  },
  {
    name: 'entry-renamed',
    what: 'the last entry names another file, with a matching template hash',
    cases: [60],
    outcome: 'refused',
    mutations: {
      ima: (entries) =>
        entries.map((entry, at) => {
          if (at !== entries.length - 1) return entry
          const [head = filled(0), , ...rest] = entry.fields
          return hashedEntry({ ...entry, fields: [head, text('/usr/bin/good\0'), ...rest] })
        }),
    },
  },
  {
    name: 'boot-aggregate-missing',
    what: 'the list lacks its boot_aggregate',
    cases: [71],
    outcome: 'refused',
    mutations: { ima: (entries) => entries.slice(1) },
  },
  {
    name: 'list-crlf',
    what: 'lines of the text list end in CR LF',
    cases: [58],
    outcome: 'either',
    mutations: { 'ima-ascii': replaceAll('\n', '\r\n') },
  },
  {
    name: 'list-bom',
    what: 'the text list begins with a byte order mark',
    cases: [58],
    outcome: 'refused',
    mutations: { 'ima-ascii': (bytes) => cat(text('\u{feff}'), bytes) },
  },
  {
    name: 'list-nul',
    what: 'each line of the text list begins with a zero byte',
    cases: [58],
    outcome: 'refused',
    mutations: { 'ima-ascii': (bytes) => replaceAll('\n', '\n\0')(cat(filled(1), bytes)) },
  },
  {
    name: 'list-unended',
    what: 'the last line of the text list has no newline',
    cases: [58],
    outcome: 'either',
    mutations: { 'ima-ascii': withoutFinalNewline },
  },
  {
    name: 'list-two-blanks',
    what: 'columns of the text list are separated by two blanks',
    cases: [59],
    outcome: 'either',
    mutations: { 'ima-ascii': replaceAll(' ima-', '  ima-') },
  },
  {
    name: 'list-long-line',
    what: 'the text list ends with a line of 64 MiB',
    cases: [73],
    outcome: 'refused',
    huge: true,
    mutations: { 'ima-ascii': (bytes) => cat(bytes, filled(LINE_BYTES, 0x41)) },
  },
  {
    name: 'list-million',
    what: 'the text list has a million lines',
    cases: [73],
    outcome: 'either',
    huge: true,
    mutations: { 'ima-ascii': manyLines },
  },
]
