import { expect, test } from 'vitest'
import { DIALECTS } from '../../client/dialect.ts'
import type { VerifierClient } from '../../client/verifier-client.ts'
import { ALL_EVIDENCE_MUTATIONS } from '../mutations/catalogue.ts'
import { evidenceRoute } from '../routes/evidence-route.ts'
import type { Recipe } from '../stages.ts'
import { CONTRADICTIONS } from './contradictions.ts'

const DRAWS = Array.from({ length: 6 }, (_, at) => `draw ${at}`)

const route = evidenceRoute(
  { dialect: DIALECTS.document } as VerifierClient,
  ALL_EVIDENCE_MUTATIONS,
)
const known = new Map<string, Promise<readonly (readonly string[])[]>>()

/** What the oracle says of the golden evidence with one mutation, for several draws. */
function saidOf(mutation: string): Promise<readonly (readonly string[])[]> {
  const said =
    known.get(mutation) ?? Promise.all(DRAWS.map((draw) => saidOnce([{ mutation, draw }])))
  known.set(mutation, said)
  return said
}

async function saidOnce(recipe: Recipe): Promise<readonly string[]> {
  const shot = await route.aim(recipe)
  return shot.says().map(({ id }) => id)
}

test('golden evidence says nothing that it must not', async () => {
  expect(await saidOnce([])).toEqual([])
})

const BREAKING = ALL_EVIDENCE_MUTATIONS.flatMap(({ id, breaks }) =>
  breaks === undefined ? [] : [[id, breaks] as const],
)

test.each(BREAKING)('%s is seen to break what it says it breaks: %s', async (id, breaks) => {
  const said = await saidOf(id)
  expect(said.filter((ids) => ids.length === 0)).toEqual([])
  expect(said.flat()).toContain(breaks)
})

test('every contradiction is made by some mutation', async () => {
  const said = await Promise.all(ALL_EVIDENCE_MUTATIONS.map(({ id }) => saidOf(id)))
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
  'key.attributes',
  'ecc.negated',
  'pcrs.many',
  'measured.again',
  'measured.violation',
  'list.longer',
  'line.blanks',
  'policy.upper-case',
  'policy.many',
  'policy.absent',
]

test.each(HONEST)('%s is not called a contradiction', async (id) => {
  expect((await saidOf(id)).flat()).toEqual([])
})

test('ids of mutations are unique', () => {
  const ids = ALL_EVIDENCE_MUTATIONS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
