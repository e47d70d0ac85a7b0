import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { openStore } from '../../dev/testing/storage/open-store.ts'
import { agentRow, attestationRow } from '../../dev/testing/storage/rows.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import {
  AGENT,
  AK,
  attest,
  begin,
  enrol,
  evidenceFor,
  readAgent,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import {
  ACCEPTANCE_MOVES,
  type AcceptanceEvent,
  acceptanceOf,
  acceptanceRules,
  timeoutAfter,
} from './attestation/acceptance.ts'

const PARAMS = { agent_id: AGENT }
const LOCKED_OUT = { status: 403, code: 'agent_attestations_disabled' }

/** An agent whose evidence has passed, with a quote interval of two seconds. */
async function attesting(): Promise<TestVerifier> {
  const verifier = await testVerifier()
  await enrol(verifier)
  await attest(verifier)
  return verifier
}

async function silent(): Promise<TestVerifier> {
  const verifier = await attesting()
  verifier.clock.pass(10)
  return verifier
}

function refused(verifier: TestVerifier) {
  return refusalOf(() => begin(verifier))
}

test('an agent is locked out five quote intervals after its last evidence, and not before', async () => {
  const verifier = await attesting()
  verifier.clock.pass(9.999)
  expect((await begin(verifier)).id).toBe('1')
  verifier.clock.pass(0.001)
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
})

test('evidence restarts the timer, with any verdict', async () => {
  const verifier = await attesting()
  verifier.clock.pass(9)
  const begun = await begin(verifier)
  const params = { ...PARAMS, index: begun.id }
  const broken = evidenceFor(begun, { signature: 'AAAA' })
  await verifier.finish(await verifier.ask('submit-evidence', params, broken))
  verifier.clock.pass(9)
  expect((await begin(verifier)).id).toBe('2')
})

test('capabilities do not', async () => {
  const verifier = await attesting()
  verifier.clock.pass(9)
  await begin(verifier)
  verifier.clock.pass(1)
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
})

test('an agent that has sent no evidence yet is waited for', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  await begin(verifier)
  verifier.clock.pass(86_400)
  expect((await begin(verifier)).id).toBe('1')
})

test('evidence that was asked for before comes too late', async () => {
  const verifier = await attesting()
  const begun = await begin(verifier)
  verifier.clock.pass(10)
  const params = { ...PARAMS, index: begun.id }
  const submit = () => verifier.ask('submit-evidence', params, evidenceFor(begun))
  expect(await refusalOf(submit)).toMatchObject(LOCKED_OUT)
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
})

test('a silent agent is shown as one that fails, and its operational state stays', async () => {
  const verifier = await attesting()
  expect(await readAgent(verifier)).toMatchObject({ attestation_status: 'PASS' })
  verifier.clock.pass(10)
  const status = { attestation_status: 'FAIL', operational_state: 3, attestation_count: 1 }
  expect(await readAgent(verifier)).toMatchObject(status)
})

test('an administrator lets it attest again, and it is waited for as at first', async () => {
  const verifier = await silent()
  await verifier.ask('reactivate-agent', PARAMS)
  expect(await readAgent(verifier)).toMatchObject({ attestation_status: 'PENDING' })
  verifier.clock.pass(86_400)
  await attest(verifier)
  verifier.clock.pass(9)
  expect((await begin(verifier)).id).toBe('2')
  verifier.clock.pass(1)
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
})

test('so does adding it anew', async () => {
  const verifier = await silent()
  await verifier.ask('delete-agent', PARAMS)
  await enrol(verifier)
  expect((await attest(verifier)).attributes.evaluation).toBe('pass')
})

/** A silent agent of a registrar that has registered its key that often. */
async function silentAndRegistered(aik_tpm = AK) {
  const registration = { aik_tpm, mtls_cert: null, regcount: 1 }
  const lookUpRegistration = () => Promise.resolve({ ...registration })
  const verifier = await testVerifier({ lookUpRegistration })
  await enrol(verifier)
  await attest(verifier)
  verifier.clock.pass(10)
  return { verifier, registration }
}

test('another registration at the registrar, after it was refused, lets it attest again', async () => {
  const { verifier, registration } = await silentAndRegistered()
  for (const _ of [1, 2]) expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
  registration.regcount = 2
  expect((await attest(verifier)).id).toBe('1')
  verifier.clock.pass(10)
  for (const _ of [1, 2]) expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
  registration.regcount = 3
  expect((await begin(verifier)).id).toBe('2')
})

test('a registration with another key does not', async () => {
  const { verifier, registration } = await silentAndRegistered('another')
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
  registration.regcount = 2
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
})

test('a stopped agent that registers again stays stopped', async () => {
  const { verifier, registration } = await silentAndRegistered()
  await refused(verifier)
  await verifier.ask('stop-agent', PARAMS)
  registration.regcount = 2
  expect(await refused(verifier)).toMatchObject({ status: 403 })
})

test('the time is that of the settings when the evidence came', async () => {
  const verifier = await testVerifier({ settings: ['quote_interval=60'] })
  await enrol(verifier)
  await attest(verifier)
  verifier.clock.pass(299)
  expect((await begin(verifier)).id).toBe('1')
  verifier.clock.pass(1)
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
})

test('it outlives the process: the moment is in the database', async () => {
  const file = join(temporaryDirectory(), 'verifier.sqlite')
  const before = await openStore(file)
  await before.agents.enrol(agentRow(), undefined)
  const row = await before.attestations.append(attestationRow(), 1_000_000)
  if (row === undefined) throw new Error('no attestation')
  const change = { stage: 'evaluating_evidence' }
  await before.attestations.advance(row, 'awaiting_evidence', change, { timeout_at: NOW })
  await before.close()
  const agent = await (await openStore(file)).agents.find('a')
  if (agent === undefined) throw new Error('no agent')
  expect([acceptanceOf(agent, NOW - 1), acceptanceOf(agent, NOW)]).toEqual(['accepting', 'silent'])
})

test.each([
  ['ahead', 86_400],
  ['back', -86_400],
])('a clock that is set %s locks out no agent, and lets no silent one in', async (_, seconds) => {
  const verifier = await attesting()
  verifier.clock.set(seconds)
  expect((await begin(verifier)).id).toBe('1')
  verifier.clock.pass(9.999)
  expect((await begin(verifier)).id).toBe('2')
  verifier.clock.pass(0.001)
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
  verifier.clock.set(-seconds)
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
})

test('after a clock was set back, no agent comes too early', async () => {
  const verifier = await testVerifier({ settings: ['early_capabilities=refuse'] })
  await enrol(verifier)
  await attest(verifier)
  expect(await refused(verifier)).toMatchObject({ code: 'premature_attestation' })
  verifier.clock.set(-3600)
  expect((await begin(verifier)).id).toBe('1')
})

test('an agent that no verifier could hear is not silent', async () => {
  const verifier = await attesting()
  verifier.clock.pass(9)
  verifier.clock.sleep(86_400)
  expect((await begin(verifier)).id).toBe('1')
  verifier.clock.pass(1)
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
  verifier.clock.sleep(86_400)
  expect(await refused(verifier)).toMatchObject(LOCKED_OUT)
})

const NOW = 4_102_444_800_000
const TIMES = { now: NOW, quoteInterval: 2 }
const STATES = [
  ['an agent that is waited for', { timeout_at: null }, null],
  ['an agent whose time runs', { timeout_at: NOW + 1 }, NOW + 1],
  ['a silent agent', { timeout_at: NOW }, undefined],
] as const

test.each(STATES)('the moves of %s are those of the table', (_, agent, kept) => {
  const after = (event: AcceptanceEvent) => timeoutAfter(acceptanceRules, event, agent, TIMES)
  expect(after('capabilities_received')).toBe(kept)
  expect(after('evidence_received')).toBe(kept === undefined ? undefined : NOW + 10_000)
  expect(after('reactivated')).toBe(null)
  expect(after('added')).toBeUndefined()
})

test('no state has two moves by one event', () => {
  const keys = ACCEPTANCE_MOVES.map(({ event, from }) => `${from} ${event}`)
  expect(new Set(keys).size).toBe(keys.length)
})
