import { Socket } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import { DIALECTS } from '../dialects/dialect.ts'
import { replayScenario } from '../runner/replay/replay-scenario.ts'
import type { RecordedScenario } from '../runner/run-environment.ts'
import { closeHosts } from './mutants/host-mutant.ts'
import { runMutant, scenarios } from './mutants/run-mutant.ts'

/** Scenarios without agents or commands of the deployment, some with waits, many with near misses. */
const PLACES = ['push.attestation.', 'push.evidence.', 'session.']

const environment = { rows: loadRequirements(), dialect: DIALECTS.document }

afterAll(closeHosts)

/** Checks without their values: which they are, and whether they hold. */
function summaryOf({ checks, thrown }: Pick<RecordedScenario, 'checks' | 'thrown'>) {
  const lines = checks.map(({ requirement, what, cell = '', ok }) =>
    [ok ? 'holds' : 'fails', requirement, what, cell].join(' '),
  )
  return [...lines, ...(thrown === undefined ? [] : [String(thrown)])]
}

/** Runs scenarios against the reference with one part swapped, and returns what each received. */
async function recorded(mutant: string, isChosen: (id: string) => boolean) {
  const all: RecordedScenario[] = []
  const only = scenarios.filter(({ id }) => isChosen(id))
  await runMutant(mutant, only, { versions: ['3.0'] }, (one) => all.push(one))
  return all
}

/** Repeats the checks from the text of a recording, without a network. */
async function replayed(one: RecordedScenario) {
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(() => {
    throw new Error('a replay opens no connection')
  })
  try {
    const calls = JSON.parse(JSON.stringify(one.calls)) as RecordedScenario['calls']
    return await replayScenario(environment, { ...one, calls })
  } finally {
    connect.mockRestore()
  }
}

test('the checks of a recorded scenario say the same of its recording', {
  timeout: 900_000,
}, async () => {
  const all = await recorded('shipped', (id) => PLACES.some((place) => id.startsWith(place)))
  expect(all.length).toBeGreaterThan(100)
  for (const one of all)
    expect(summaryOf(await replayed(one)), one.trial.scenario.id).toEqual(summaryOf(one))
})

test('a failed check fails again, and holds where the recorded answer is another', {
  timeout: 120_000,
}, async () => {
  const id = 'push.evidence.signature-bit-flipped'
  const all = await recorded('quote.signature-not-checked', (own) => own === id)
  const one = all.find(({ trial }) => trial.scenario.id === id)
  expect(one && summaryOf(one)).toContainEqual(
    expect.stringMatching(/^fails ATT-SIGNATURE-VERIFIED/),
  )
  if (one === undefined) return
  expect(summaryOf(await replayed(one))).toEqual(summaryOf(one))
  const text = JSON.stringify(one.calls)
  const calls = JSON.parse(text.replaceAll('"evaluation":"pass"', '"evaluation":"fail"'))
  const { checks } = await replayed({ ...one, calls })
  const [check] = checks.filter(({ requirement }) => requirement === 'ATT-SIGNATURE-VERIFIED')
  expect(check).toMatchObject({ ok: true })
})
