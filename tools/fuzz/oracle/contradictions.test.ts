import { expect, test } from 'vitest'
import { DIALECTS } from '../../../conformance/dialects/dialect.ts'
import type { Fault } from '../../../simulator/faults/fault.ts'
import { UEFI_FAULTS } from '../../../simulator/faults/uefi/known-uefi-faults.ts'
import { baselineOf } from '../baseline.ts'
import type { FuzzKind } from '../kinds.ts'
import { BOOTPOLICY_MUTATIONS } from '../mutations/bootpolicy.ts'
import { ALL_EVIDENCE_MUTATIONS } from '../mutations/catalogue.ts'
import { EVENTLOG_MUTATIONS } from '../mutations/eventlog.ts'
import { evidenceRoute } from '../routes/evidence-route.ts'
import type { Mutation, Recipe } from '../stages.ts'
import { CONTRADICTIONS } from './contradictions.ts'

const DRAWS = Array.from({ length: 6 }, (_, at) => `draw ${at}`)

/** The way of a kind, and that of every other mutation. */
function routeOf(kind: FuzzKind) {
  const send = () => Promise.reject(new Error('nothing is sent here'))
  const channel = { name: 'nowhere', dialect: DIALECTS.document, send }
  return evidenceRoute(channel, baselineOf(kind), ALL_EVIDENCE_MUTATIONS)
}

const plain = routeOf('quote')
const booted = routeOf('eventlog')
const OF_BOOTS: readonly Mutation[] = [...EVENTLOG_MUTATIONS, ...BOOTPOLICY_MUTATIONS]
/** Ids of the named faults of firmware logs, which leave nothing to chance. */
const NAMED = 'boot.'
const known = new Map<string, Promise<readonly (readonly string[])[]>>()

/** What the oracle says of the baseline evidence with one mutation, for several draws. */
function saidOf(mutation: string): Promise<readonly (readonly string[])[]> {
  const draws = mutation.startsWith(NAMED) ? DRAWS.slice(0, 1) : DRAWS
  const said =
    known.get(mutation) ?? Promise.all(draws.map((draw) => saidOnce([{ mutation, draw }])))
  known.set(mutation, said)
  return said
}

async function saidOnce(recipe: Recipe): Promise<readonly string[]> {
  const ofBoots = OF_BOOTS.some(({ id }) => id === recipe[0]?.mutation)
  const input = await (ofBoots ? booted : plain).prepare(recipe)
  return input.says().map(({ id }) => id)
}

test('baseline evidence says nothing that it must not', async () => {
  for (const route of [plain, booted]) expect((await route.prepare([])).says()).toEqual([])
})

const BREAKING = ALL_EVIDENCE_MUTATIONS.flatMap(({ id, breaks }) =>
  breaks === undefined || breaks === 'boot-fault' ? [] : [[id, breaks] as const],
)

test.each(BREAKING)('%s is seen to break what it says it breaks: %s', async (id, breaks) => {
  const said = await saidOf(id)
  expect(said.filter((ids) => ids.length === 0)).toEqual([])
  expect(said.flat()).toContain(breaks)
})

const faultsOf = (...outcomes: readonly Fault['outcome'][]) =>
  UEFI_FAULTS.filter(({ huge, outcome }) => huge === undefined && outcomes.includes(outcome)).map(
    ({ name }) => name.replace(/^uefi-/, NAMED),
  )

const FAILING = faultsOf('refused', 'policy', 'fails')

test.each(FAILING)('%s is reported', async (id) => {
  expect((await saidOf(id)).flat()).not.toEqual([])
})

test.each(faultsOf('accepted'))('%s is no contradiction', async (id) => {
  expect((await saidOf(id)).flat()).toEqual([])
})

test('every contradiction is made by some mutation', async () => {
  const said = await Promise.all([...BREAKING.map(([id]) => id), ...FAILING].map(saidOf))
  const made = new Set(said.flat(2))
  expect(CONTRADICTIONS.map(({ id }) => id).filter((id) => !made.has(id))).toEqual([])
})

/** Another spelling of the truth, or a truth that a policy does not speak of. */
const HONEST = [
  'attest.signer',
  'attest.clock',
  'attest.firmware',
  'attest.selection-four',
  'quote.spelling',
  'request.extra',
  'signer.rsa',
  'ecc.negated',
  'pcrs.many',
  'measured.again',
  'list.longer',
  'line.blanks',
  'policy.upper-case',
  'policy.many',
  'policy.absent',
  'pcr-policy.fits',
  'pcr-policy.choice',
  'pcr-policy.mask-quoted',
  'excludes.fit',
  'signed.file',
  'buffer.listed',
]

test.each(HONEST)('%s is not called a contradiction', async (id) => {
  expect((await saidOf(id)).flat()).toEqual([])
})

test('ids of mutations are unique', () => {
  const ids = ALL_EVIDENCE_MUTATIONS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
