import Table from 'cli-table3'
import { afterAll, describe, expect, test } from 'vitest'
import { hashByName, hashes } from '../tpm/algorithms.ts'
import { recorded } from '../tpm/testing/recorded-boot.ts'
import { evaluateIma } from './ima/evaluate-ima.ts'
import { hashMatches, type ImaItem, isViolation } from './ima/list/entry.ts'
import { parseAsciiList } from './ima/list/parse-ascii.ts'
import { parseBinaryList } from './ima/list/parse-binary.ts'
import { listedPcrs, provenPcrs } from './testing/proven-pcrs.ts'
import { absent, real, WHY_SKIPPED } from './testing/real-data.ts'

type Format = 'ascii' | 'binary'

const rows: (readonly string[])[] = []

/** Templates with their numbers of entries, and problems, in one line. */
function summaryOf(items: readonly ImaItem[]): string {
  const counts = new Map<string, number>()
  for (const item of items) {
    const kind = item.kind === 'entry' ? item.template : 'unreadable'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const entries = items.filter((item) => item.kind === 'entry')
  const wrong = entries.filter((each) => !hashMatches(each) && !isViolation(each)).length
  const violations = entries.filter(isViolation).length
  return [
    ...[...counts].map(([kind, count]) => `${count} ${kind}`),
    ...(violations > 0 ? [`of which ${violations} violations`] : []),
    ...(wrong > 0 ? [`of which ${wrong} with another hash`] : []),
  ].join(', ')
}

function read(bytes: Uint8Array, format: Format, column = 'sha1'): string {
  const parse = format === 'ascii' ? parseAsciiList : parseBinaryList
  return summaryOf(parse(bytes, hashByName(column) ?? hashes.sha1))
}

const RUNTIME = 'keylime/test/data/create-runtime-policy/'
const FAPI = 'tpm2-tss/test/data/fapi/eventlog/'

interface RealList {
  readonly file: string
  readonly format: Format
  /** the expected reading */
  readonly holds: string
  /** what its publishers say of it */
  readonly published?: string
}

/** Lists that came without the PCRs of their machine. */
const LISTS: readonly RealList[] = [
  { file: `${RUNTIME}ima-log-sha1`, format: 'ascii', holds: '2 ima-ng, of which 1 violations' },
  { file: `${RUNTIME}ima-log-sha256`, format: 'ascii', holds: '2 ima-ng' },
  { file: `${RUNTIME}ima-log-sha384`, format: 'ascii', holds: '2 ima-ng, of which 1 violations' },
  { file: `${RUNTIME}ima-log-sha512`, format: 'ascii', holds: '2 ima-ng, of which 1 violations' },
  {
    file: `${RUNTIME}ima-log-sm3_256`,
    format: 'ascii',
    holds: '2 unreadable',
    published: 'SM3 digests',
  },
  {
    file: `${RUNTIME}ima-log-unknown`,
    format: 'ascii',
    holds: '2 unreadable',
    published: 'an unknown digest',
  },
  {
    file: 'keylime-perf-tests/data/ima_log.txt',
    format: 'ascii',
    holds: '780 ima-ng',
    published: '780 entries, ima-ng',
  },
  {
    file: 'rust-keylime/keylime-agent/test-data/ima/ascii_runtime_measurements',
    format: 'ascii',
    holds: '826 ima-ng',
    published: '826 entries, ima-ng',
  },
  {
    file: 'rust-keylime/keylime-push-model-agent/test-data/ima_log.txt',
    format: 'ascii',
    holds: '1 ima-ng',
  },
  {
    file: 'rust-keylime/keylime/test-data/invalid_ima_log.txt',
    format: 'ascii',
    holds: '1 unreadable',
    published: 'invalid',
  },
  {
    file: 'ima-measurements-rs/test_assets/imang',
    format: 'binary',
    holds: '3 ima-ng',
    published: 'three entries, ima-ng',
  },
  {
    file: `${FAPI}sml-ima-sig-sha256.b64`,
    format: 'binary',
    holds: '9 ima-sig, 1 unreadable',
    published: 'last entry cut short',
  },
  {
    file: `${FAPI}sml-ima-sig-sha256-invalidated.b64`,
    format: 'binary',
    holds: '2 ima-sig, of which 1 violations',
  },
  { file: `${FAPI}sml-ima-ng-sha1.b64`, format: 'binary', holds: '6 ima-ng, 1 unreadable' },
  {
    file: `${FAPI}sml-ima-ng-sha1-invalidated.b64`,
    format: 'binary',
    holds: '1 unreadable',
    published: 'a violation',
  },
  { file: `${FAPI}sml-ima-sha1.b64`, format: 'binary', holds: '12 ima, 1 unreadable' },
  {
    file: `${FAPI}sml-ima-sha1-invalidated.b64`,
    format: 'binary',
    holds: '1 ima, of which 1 violations',
  },
]

function load(file: string): Uint8Array {
  const bytes = real(file)
  return file.endsWith('.b64') ? Buffer.from(Buffer.from(bytes).toString(), 'base64') : bytes
}

describe.skipIf(absent)(`real measurement lists${WHY_SKIPPED}`, () => {
  test.each(LISTS)('$file ($format): $holds', ({ file, format, holds, published = 'nothing' }) => {
    const seen = read(load(file), format)
    rows.push([file, format, seen, published])
    expect(seen).toBe(holds)
  })
})

/** Replays a list to the PCR 10 that was read on its machine: one rule a bank. */
function replayed(bytes: Uint8Array, format: Format, pcrs: Uint8Array) {
  const verified = provenPcrs(listedPcrs(Buffer.from(pcrs).toString()))
  const expected = { ignoreTomtouErrors: true, bootAggregates: new Set<string>() }
  return evaluateIma({ format, bytes, startingOffset: 0 }, verified, expected)
}

const DEBIAN_RULES = {
  sha1: 'template-hash',
  sha256: 'template-hash',
  sha384: 'padded-sha1',
  sha512: 'padded-sha1',
}

function checkBoot(boot: string, format: Format, load: (file: string) => Uint8Array): void {
  const bytes = load(`${format}_before_tools`)
  const { findings, certified } = replayed(bytes, format, load('pcrs_before_tools.txt'))
  const met = Object.entries(certified?.rules ?? {}).map(([bank, rule]) => `${bank} by ${rule}`)
  rows.push([
    boot,
    format,
    `${read(bytes, format)}; meets ${met.join(', ')}`,
    'PCR 10 of four banks',
  ])
  expect(findings).toEqual([])
  expect(certified?.rules).toEqual(DEBIAN_RULES)
}

test.each(['ascii', 'binary'] as const)(
  'the %s list of the boot in the repository meets the PCR 10 read beside it, in four banks',
  (format) => checkBoot('full-ovmf-imasig', format, recorded),
)

const BOOTS = ['imang', 'imasigv2', 'seabios'].flatMap((boot) =>
  (['ascii', 'binary'] as const).map((format) => [boot, format] as const),
)

describe.skipIf(absent)(
  `lists of recorded boots that are not in the repository${WHY_SKIPPED}`,
  () => {
    test.each(BOOTS)('%s (%s) meets the PCR 10 read beside it, in four banks', (boot, format) => {
      checkBoot(`own-boots/${boot}`, format, (file) => real(`own-boots/${boot}/${file}`))
    })
  },
)

afterAll(() => {
  const table = new Table({
    head: ['measurement list', 'form', 'result', 'published'],
    colWidths: [76, 8, 60, 24],
    wordWrap: true,
    style: { head: [], border: [] },
  })
  table.push(...rows.map((row) => [...row]))
  console.log(table.toString())
})
