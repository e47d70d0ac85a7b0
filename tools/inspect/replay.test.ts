import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeAsciiList } from '../../simulator/ima/ascii.ts'
import { type ImaEntry, writeImaList } from '../../simulator/ima/list.ts'
import { imaSigEntry } from '../../simulator/ima/make-entry.ts'
import { extendValues } from '../../simulator/ima/template.ts'
import { BANKS, type Bank, digest, HASHES } from '../../simulator/tpm/hash.ts'
import { cat, filled, text, toHex } from '../../simulator/tpm/write.ts'
import { readImaSource } from './imalog/ima-source.ts'
import { inspectImalog } from './imalog/inspect-imalog.ts'
import type { Inspection } from './inspection.ts'
import { readPcrFile } from './quote/pcr-file.ts'

const BOOTS = [
  ['full-ovmf-imasig', 'before_tools', 'fixtures/boots/full-ovmf-imasig'],
  ['full-ovmf-imasig', 'after_tools', 'fixtures/boots/full-ovmf-imasig'],
  ['imang', 'before_tools', '../shared/data/own-boots/imang'],
  ['imasigv2', 'before_tools', '../shared/data/own-boots/imasigv2'],
  ['seabios', 'before_tools', '../shared/data/own-boots/seabios'],
] as const

function replay(list: Uint8Array, published: Uint8Array): Inspection {
  const pcrs = readPcrFile({ file: 'pcrs', bytes: published })
  return inspectImalog(readImaSource({ file: 'list', bytes: list }), [], {
    entries: 0,
    published: pcrs,
  })
}

const read = (file: string): Uint8Array => new Uint8Array(readFileSync(file))

for (const [boot, at, folder] of BOOTS) {
  for (const form of ['ascii', 'binary'] as const) {
    test.skipIf(!existsSync(folder))(
      `the ${form} list ${at} of the boot ${boot} replays to every published PCR 10`,
      () => {
        const { ima, comparisons } = replay(
          read(`${folder}/${form}_${at}`),
          read(`${folder}/pcrs_${at}.txt`),
        )
        const fitting = ima?.replay.filter(({ fits }) => fits).map(({ bank, rule }) => [bank, rule])
        expect(fitting).toEqual([
          ['sha1', 'own-hash'],
          ['sha256', 'own-hash'],
          ['sha384', 'padded-sha1'],
          ['sha512', 'padded-sha1'],
        ])
        expect(comparisons.map(({ id, holds }) => [id, holds])).toEqual([
          ...BANKS.map((bank) => [`pcr-10-${bank}`, true]),
          ['boot-aggregate', true],
        ])
      },
    )
  }
}

const ENTRIES = ['/a', '/b', '/c'].map((path) => imaSigEntry(path, filled(32, 5)))

/** PCR 10 after some entries, as lines of a PCR file. */
function published(
  kernelHashes: readonly Bank[],
  {
    entries = ENTRIES,
    banks = BANKS,
  }: { readonly entries?: readonly ImaEntry[]; readonly banks?: readonly Bank[] } = {},
): Uint8Array {
  const lines = banks.map((bank) => {
    const value = entries.reduce(
      (before, entry) => digest(bank, cat(before, extendValues(entry, kernelHashes)[bank])),
      filled(HASHES[bank].size),
    )
    return `${bank} 10 ${toHex(value)}\n`
  })
  return text(lines.join(''))
}

const LIST = writeAsciiList(ENTRIES)
const warned = (list: Uint8Array, pcrs: Uint8Array): readonly string[] =>
  replay(list, pcrs).warnings.map(({ id }) => id)

test('a bank that matches with the padded SHA-1 hash has a warning', () => {
  expect(warned(LIST, published(['sha1', 'sha256']))).toContain('padded-bank')
  expect(warned(LIST, published(BANKS))).not.toContain('padded-bank')
})

test('PCR values without a SHA-256 bank have a warning', () => {
  expect(warned(LIST, published(BANKS, { banks: ['sha1'] }))).toContain('missing-bank')
  expect(warned(LIST, published(BANKS))).not.toContain('missing-bank')
})

test('a list with entries after the PCRs were read matches after some of its entries', () => {
  const { ima, comparisons, warnings } = replay(
    LIST,
    published(BANKS, { entries: ENTRIES.slice(0, 2) }),
  )
  expect(ima?.replay.find(({ bank }) => bank === 'sha256')).toMatchObject({
    fits: false,
    fits_after: 2,
  })
  expect(comparisons[1]).toMatchObject({
    holds: true,
    says: expect.stringContaining('after 2 of 3'),
  })
  expect(warnings.map(({ id }) => id)).toContain('list-continues')
  expect(warned(LIST, published(BANKS))).not.toContain('list-continues')
})

test('a list without one entry does not match', () => {
  const { comparisons } = replay(writeAsciiList(ENTRIES.slice(1)), published(BANKS))
  expect(comparisons.map(({ holds }) => holds)).toEqual([false, false, false, false])
})

test('boot_aggregate is compared with the PCR values', () => {
  const pcrs = Array.from({ length: 10 }, (_, pcr) => `sha256 ${pcr} ${'11'.repeat(32)}\n`).join('')
  const right = digest('sha256', filled(320, 0x11))
  const aggregates = [right, filled(32)].map((value) =>
    writeImaList([imaSigEntry('boot_aggregate', value)]),
  )
  const holds = aggregates.map(
    (list) => replay(list, text(pcrs)).comparisons.find(({ id }) => id === 'boot-aggregate')?.holds,
  )
  expect(holds).toEqual([true, false])
})

test('an entry with an unknown template prevents the own-hash replay of a text list, but not of a binary list', () => {
  const unknown = { ...(ENTRIES[0] ?? imaSigEntry('/a', filled(32))), template: 'ima-new' }
  const own = (list: Uint8Array) =>
    replay(list, published(BANKS)).ima?.replay.find(({ bank }) => bank === 'sha256')?.value
  expect(own(writeAsciiList([unknown]))).toBeNull()
  expect(own(writeImaList([unknown]))).toMatch(/^[0-9a-f]{64}$/)
})

const VALUE = '0a'.repeat(32)

test.each<[string, string]>([
  [
    'the output of tpm2_pcrread',
    `  sha1:\n    10: 0x${'0b'.repeat(20)}\n  sha256:\n    9 : 0x${'00'.repeat(32)}\n    10: 0x${VALUE.toUpperCase()}\n`,
  ],
  ['lines of bank, number and value', `sha256 10 ${VALUE}\n`],
  ['a bank on its own line', `SHA256:\n10 ${VALUE}\n`],
])('PCR values are read from %s', (_, given) => {
  const pcrs = readPcrFile({ file: 'pcrs', bytes: text(given) })
  expect(toHex(pcrs.get('sha256')?.get(10) ?? filled(0))).toBe(VALUE)
})

test('PCR values are read from a quote', () => {
  const pcrs = readPcrFile({
    file: 'pcrs',
    bytes: read('fixtures/boots/full-ovmf-imasig/rsassa_sha512_mb.pcrs'),
  })
  expect([...pcrs.keys()]).toContain('sha512')
})

test('a file without PCR values is rejected', () => {
  expect(() => readPcrFile({ file: 'x', bytes: text('hello') })).toThrow(
    expect.objectContaining({ sentence: '--pcrs x contains no PCR values' }),
  )
})
