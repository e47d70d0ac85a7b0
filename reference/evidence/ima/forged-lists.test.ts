import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import { provenPcrs } from '../testing/proven-pcrs.ts'
import {
  bufferEntry,
  listOf,
  pcrAfter,
  type WrittenEntry,
  writeEntry,
} from '../testing/written-list.ts'
import { evaluateIma } from './evaluate-ima.ts'
import { LineMemo } from './list/line-memo.ts'
import { parseRuntimePolicy } from './policy/runtime-policy.ts'

const HEX = hash('sha256', 'a file')
const AGGREGATE = hash('sha256', 'the firmware')

function entry(name: string, hex = HEX, algorithm = 'sha256'): WrittenEntry {
  return writeEntry({ template: 'ima-ng', name, digest: { algorithm, hex } })
}

const FILE = entry('/bin/a')
const FIRST = entry('boot_aggregate', AGGREGATE)
const DATA = new TextEncoder().encode('critical data')
const BUFFER = bufferEntry('label', DATA)

const OF_FILES = { '/bin/a': [HEX] }
const PINNED = { ...OF_FILES, boot_aggregate: [AGGREGATE] }

function policyOf(digests: Readonly<Record<string, readonly string[]>>) {
  const document = {
    ...JSON.parse(runtimePolicy(digests)),
    'ima-buf': { label: [hash('sha256', DATA)] },
  }
  return parseRuntimePolicy(JSON.stringify(document))
}

interface Forged {
  readonly sent: readonly WrittenEntry[]
  readonly measured?: readonly WrittenEntry[]
  readonly digests?: Readonly<Record<string, readonly string[]>>
  readonly offset?: number
  readonly aggregates?: readonly string[]
}

/** Checks with findings in a list that was sent, of a machine that measured what it did. */
function found(
  { sent, measured = sent, digests = PINNED, offset = 0, aggregates = [] }: Forged,
  memo?: LineMemo,
  policy = policyOf(digests),
): readonly unknown[] {
  const quoted = { bank: 'sha256', values: new Map([[10, pcrAfter(measured)]]) }
  const carried = { sha256: Buffer.from(pcrAfter(measured.slice(0, offset))).toString('hex') }
  const evidence = {
    format: 'ascii',
    bytes: listOf(sent),
    startingOffset: offset,
    carried,
  } as const
  const expected = { policy, ignoreTomtouErrors: false, bootAggregates: new Set(aggregates) }
  const { findings } = evaluateIma(
    evidence,
    provenPcrs([quoted]),
    expected,
    undefined,
    undefined,
    memo,
  )
  return findings.map(({ context }) => context['check'])
}

test.each<[string, Forged]>([
  ['the list of a boot', { sent: [FIRST, FILE] }],
  ['a list that runs ahead of the quote', { sent: [FIRST, FILE, FILE], measured: [FIRST] }],
  [
    'a list without boot_aggregate, which the policy does not list',
    { sent: [FILE], digests: OF_FILES },
  ],
  [
    'an unlisted boot_aggregate that follows from the boot log',
    { sent: [FIRST], digests: OF_FILES, aggregates: [AGGREGATE] },
  ],
  ['no new entry', { sent: [], measured: [FIRST, FILE], offset: 2 }],
  ['a new entry', { sent: [FILE], measured: [FIRST, FILE], offset: 1 }],
  ['a buffer whose digest is its hash', { sent: [FIRST, BUFFER] }],
])('%s passes', (_, forged) => {
  expect(found(forged)).toEqual([])
})

const UNMEASURED = ['ima.measured', 'ima.boot-aggregate']

test.each<[string, readonly string[], Forged]>([
  ['an empty list with an unused PCR 10', UNMEASURED, { sent: [], measured: [] }],
  ['entries with an unused PCR 10', UNMEASURED, { sent: [FIRST, FILE], measured: [] }],
  [
    'entries with an unused PCR 10 under a policy of files',
    ['ima.measured'],
    { sent: [FILE], measured: [], digests: OF_FILES },
  ],
  [
    'an empty list under a policy that lists nothing',
    ['ima.measured'],
    { sent: [], measured: [], digests: {} },
  ],
  ['a list without the listed boot_aggregate', ['ima.boot-aggregate'], { sent: [FILE] }],
  [
    'a list whose boot_aggregate was not measured',
    ['ima.boot-aggregate'],
    { sent: [FILE, FIRST], measured: [FILE] },
  ],
  [
    'a file called like boot_aggregate',
    ['ima.entry-policy', 'ima.boot-aggregate'],
    { sent: [FILE, entry('/boot_aggregate', AGGREGATE)] },
  ],
  [
    'a buffer called boot_aggregate',
    ['ima.entry-policy', 'ima.boot-aggregate'],
    { sent: [FILE, bufferEntry('boot_aggregate', DATA)] },
  ],
  ['another boot_aggregate', ['ima.entry-policy'], { sent: [entry('boot_aggregate'), FILE] }],
])('%s does not pass', (_, checks, forged) => {
  expect(new Set(found(forged))).toEqual(new Set(checks))
})

const otherBuffer = (algorithm: string, hex: string) =>
  writeEntry({
    template: 'ima-buf',
    name: 'label',
    digest: { algorithm, hex },
    extra: new TextEncoder().encode('something else'),
  })

test.each([
  ...['sha256', 'sha3-256', 'sm3'].map((algorithm) => [algorithm, 'ima.entry-buffer']),
  ...['md5', 'none', 'a_name', 'sha-256', 'constructor'].map((algorithm) => [
    ...[algorithm, 'ima.entry-template'],
  ]),
])(
  'another buffer under the listed digest by %s is refused by %s',
  (algorithm = '', check = '') => {
    expect(found({ sent: [FIRST, otherBuffer(algorithm, hash('sha256', DATA))] })).toContain(check)
  },
)

test('a boot_aggregate that was looked up before is required all the same', () => {
  const [memo, policy] = [new LineMemo(), policyOf(PINNED)]
  for (const _ of [1, 2, 3]) {
    expect(found({ sent: [FIRST, FILE] }, memo, policy)).toEqual([])
    expect(found({ sent: [FILE] }, memo, policy)).toEqual(['ima.boot-aggregate'])
  }
})
