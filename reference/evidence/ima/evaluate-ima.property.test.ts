import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { provenPcrs } from '../testing/proven-pcrs.ts'
import { listOf, pcrAfter, type WrittenEntry, writeEntry } from '../testing/written-list.ts'
import { imaEntryChecks } from './entry-checks.ts'
import { evaluateIma, imaListChecks } from './evaluate-ima.ts'

/** What a list holds besides honest entries, and whether the kernel measured it. */
interface Flaw {
  readonly entry: WrittenEntry
  readonly isMeasured: boolean
}

function fileEntry(name: string, template = 'ima-sig'): WrittenEntry {
  return writeEntry({ template, name, digest: { algorithm: 'sha256', hex: hash('sha256', name) } })
}

const name = fc.stringMatching(/^\/[a-z]{1,12}$/)
const names = fc.array(name, { minLength: 1, maxLength: 6 })
const NOTHING = new Uint8Array()

const FLAWS: Readonly<Record<string, fc.Arbitrary<Flaw>>> = {
  'ima.entry': fc
    .constantFrom('#', '10 x', '\u0000', 'ima-ng sha256:00 /bin/sh', '10  ima-ng /x')
    .map((line) => ({ entry: { line, data: NOTHING }, isMeasured: false })),
  'ima.entry-pcr': fc.tuple(name, fc.integer({ min: 11, max: 23 })).map(([file, pcr]) => {
    const { line, data } = fileEntry(file)
    return { entry: { line: line.replace(/^10/, String(pcr)), data }, isMeasured: false }
  }),
  'ima.entry-violation': name.map((file) => {
    const line = `10 ${'0'.repeat(40)} ima-ng sha256:${'0'.repeat(64)} ${file}`
    return { entry: { line, data: NOTHING }, isMeasured: true }
  }),
  'ima.entry-template': name.map((file) => {
    // The template hash is right, and the digest is as long as no digest of its algorithm.
    const digest = { algorithm: 'sha256', hex: 'ab'.repeat(31) }
    return { entry: writeEntry({ template: 'ima-ng', name: file, digest }), isMeasured: true }
  }),
}

/** PCR 10 after the entries; a violation extends it with ones (TCG PC Client Firmware Profile and the kernel's IMA). */
function extended(entries: readonly WrittenEntry[]): Uint8Array {
  return entries.reduce<Buffer>((value, { data }) => {
    const digest = data.length === 0 ? Buffer.alloc(32, 0xff) : hash('sha256', data, 'buffer')
    return hash('sha256', Buffer.concat([value, digest]), 'buffer')
  }, Buffer.alloc(32))
}

function proven(pcr: number, value: Uint8Array) {
  return provenPcrs([{ bank: 'sha256', values: new Map([[pcr, value]]) }])
}

function isFound(list: Uint8Array, pcrs: ReturnType<typeof proven>, missing?: string): boolean {
  const evidence = { format: 'ascii' as const, bytes: list, startingOffset: 0 }
  const expected = { ignoreTomtouErrors: false, bootAggregates: new Set<string>() }
  const [lists, entries] = [
    imaListChecks.filter(({ id }) => id !== missing),
    imaEntryChecks.filter(({ id }) => id !== missing),
  ]
  return evaluateIma(evidence, pcrs, expected, lists, entries).findings.length > 0
}

/** A list with a flaw somewhere among its entries does not pass, although it replays to the quoted PCR. */
function flawIsFound(flaw: fc.Arbitrary<Flaw>, missing?: string) {
  return fc.property(names, flaw, fc.nat(6), (files, { entry, isMeasured }, at) => {
    const honest = files.map((file) => fileEntry(file))
    const place = at % (honest.length + 1)
    const listed = honest.toSpliced(place, 0, entry)
    const pcr = extended(isMeasured ? listed : honest)
    expect(isFound(listOf(listed), proven(10, pcr), missing)).toBe(true)
  })
}

/** A list under a quote of other PCRs alone does not pass. */
function unquotedIsFound(missing?: string) {
  return fc.property(names, fc.integer({ min: 0, max: 9 }), (files, pcr) => {
    const honest = files.map((file) => fileEntry(file))
    expect(isFound(listOf(honest), proven(pcr, pcrAfter(honest)), missing)).toBe(true)
  })
}

test('a list without a flaw passes', () => {
  const honest = names.map((files) => files.map((file) => fileEntry(file)))
  fc.assert(
    fc.property(honest, (entries) => {
      expect(isFound(listOf(entries), proven(10, pcrAfter(entries)))).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test.each(Object.entries(FLAWS))(
  '%s: a flaw is found wherever it is, and is not without the check',
  (check, flaw) => {
    fc.assert(flawIsFound(flaw), { numRuns: 200 })
    expect(fc.check(flawIsFound(flaw, check), { numRuns: 20_000, endOnFailure: true }).failed).toBe(
      true,
    )
  },
)

test('ima.quoted: a list without its PCR is refused, and is not without the check', () => {
  fc.assert(unquotedIsFound(), { numRuns: 200 })
  expect(
    fc.check(unquotedIsFound('ima.quoted'), { numRuns: 20_000, endOnFailure: true }).failed,
  ).toBe(true)
})
