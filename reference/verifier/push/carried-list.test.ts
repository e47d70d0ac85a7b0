import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { RUNTIME_POLICY, runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import {
  AGENT,
  attest,
  begin,
  capabilities,
  enrol,
  evidenceFor,
  logOffer,
  quoteOffer,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import type { Evaluation, EvidenceCase } from '../../evidence/evaluate.ts'

const PASS: Evaluation = { verdict: 'pass', findings: [] }
const LOGS = [quoteOffer(), logOffer('ima_log')]

/** A verifier with these evaluations, and an agent with a runtime policy. */
async function withPolicy(evaluate: (evidence: EvidenceCase) => Evaluation): Promise<TestVerifier> {
  const verifier = await testVerifier({ evaluate })
  await enrol(verifier, WITH_POLICY)
  return verifier
}

const WITH_POLICY = { runtime_policy: toBase64(Buffer.from(RUNTIME_POLICY)) }

/** A certified list in which every entry has two lines. */
function certified(entriesCertified: number, carried: Readonly<Record<string, string>>) {
  const linesCertified = 2 * entriesCertified
  return { entriesCertified, linesCertified, entries: entriesCertified, carried, rules: {} }
}

/** A verifier whose evaluations certify `entries` each, and the cases it was given. */
async function certifying(entries: readonly number[]) {
  const cases: EvidenceCase[] = []
  const evaluate = (evidence: EvidenceCase): Evaluation => {
    cases.push(evidence)
    const entriesCertified = entries[cases.length - 1] ?? 0
    const carried = { sha256: `pcr after case ${cases.length - 1}` }
    const clock = { clock: BigInt(cases.length), resetCount: 1, restartCount: 0 }
    return { ...PASS, clock, ima: certified(entriesCertified, carried) }
  }
  return { verifier: await withPolicy(evaluate), cases }
}

function offsets(cases: readonly EvidenceCase[]) {
  return cases.map(({ ima }) => [ima?.startingOffset, ima?.carried])
}

test('of one boot each list starts where the last one ended, with the PCR it ended in', async () => {
  const { verifier, cases } = await certifying([5, 3, 0])
  for (let count = 0; count < 3; count++) await attest(verifier, capabilities(LOGS))
  expect(offsets(cases)).toEqual([
    [0, undefined],
    [5, { sha256: 'pcr after case 0' }],
    [8, { sha256: 'pcr after case 1' }],
  ])
})

test('keys that a list taught are used for its continuation only', async () => {
  const learned = [{ keyring: '.ima', algorithm: 'sha256', digest: 'ab', buffer: 'AAAA' }]
  const cases: EvidenceCase[] = []
  const evaluate = (evidence: EvidenceCase): Evaluation => {
    cases.push(evidence)
    return { ...PASS, ima: { ...certified(5, {}), learned } }
  }
  const verifier = await withPolicy(evaluate)
  await attest(verifier, capabilities(LOGS))
  await attest(verifier, capabilities(LOGS))
  await attest(verifier, capabilities(LOGS, { boot_time: '2026-02-02T00:00:00Z' }))
  expect(cases.map(({ ima }) => ima?.learned)).toEqual([undefined, learned, undefined])
})

test('a text list with names of several lines begins anew each time', async () => {
  const { verifier, cases } = await certifying([5, 3, 0])
  const offers = [quoteOffer(), logOffer('ima_log', { formats: ['text/plain'] })]
  for (let count = 0; count < 3; count++) await attest(verifier, capabilities(offers))
  expect(cases.map(({ ima }) => ima?.startingOffset)).toEqual([0, 0, 0])
})

test.each([
  ['another boot time', { boot_time: '2026-01-01T00:00:01Z' }, 0],
  ['no boot time', {}, 0],
  ['the same instant in another zone', { boot_time: '2026-01-01T01:00:00+01:00' }, 5],
  ['the same instant without a zone', { boot_time: '2026-01-01T00:00:00' }, 5],
])('after a pass, %s starts the next list at its place', async (_, system_info, offset) => {
  const { verifier, cases } = await certifying([5, 0])
  await attest(verifier, capabilities(LOGS))
  await attest(verifier, capabilities(LOGS, system_info))
  expect(cases[1]?.ima?.startingOffset).toBe(offset)
})

test('an attestation that began before the last verdict is evaluated from its requested start', async () => {
  const { verifier, cases } = await certifying([5, 3, 4, 0])
  await attest(verifier, capabilities(LOGS))
  const second = await begin(verifier, capabilities(LOGS))
  const params = { agent_id: AGENT, index: second.id }
  const pending = await verifier.ask('submit-evidence', params, evidenceFor(second))
  const third = await begin(verifier, capabilities(LOGS))
  await verifier.finish(pending)
  await verifier.finish(
    await verifier.ask('submit-evidence', { ...params, index: third.id }, evidenceFor(third)),
  )
  expect(offsets(cases).slice(1)).toEqual([
    [5, { sha256: 'pcr after case 0' }],
    [5, { sha256: 'pcr after case 0' }],
  ])
  await attest(verifier, capabilities(LOGS))
  expect(offsets(cases)[3]).toEqual([9, { sha256: 'pcr after case 2' }])
})

/** Gives the policy of the agent another text. */
async function replacePolicy(verifier: TestVerifier, path: string): Promise<void> {
  const runtime_policy = toBase64(Buffer.from(runtimePolicy({ [path]: ['ab'.repeat(32)] })))
  await verifier.ask('replace-runtime-policy', { name: AGENT }, { runtime_policy })
}

test('what one policy certified is judged again by another, also after a reactivation', async () => {
  const { verifier, cases } = await certifying([5, 3, 6, 0, 7])
  const run = () => attest(verifier, capabilities(LOGS))
  await run()
  await replacePolicy(verifier, '/bin/one')
  await run()
  await run()
  await replacePolicy(verifier, '/bin/two')
  await verifier.ask('stop-agent', { agent_id: AGENT })
  await verifier.ask('reactivate-agent', { agent_id: AGENT })
  await run()
  await replacePolicy(verifier, '/bin/one')
  await run()
  expect(cases.map(({ ima }) => ima?.startingOffset)).toEqual([0, 0, 3, 0, 0])
})

test('a policy that is replaced between challenge and evidence finds no list, and ends what was carried over', async () => {
  const { verifier, cases } = await certifying([5, 3, 0])
  await attest(verifier, capabilities(LOGS))
  const second = await begin(verifier, capabilities(LOGS))
  await replacePolicy(verifier, '/bin/one')
  const params = { agent_id: AGENT, index: second.id }
  await verifier.finish(await verifier.ask('submit-evidence', params, evidenceFor(second)))
  await attest(verifier, capabilities(LOGS))
  expect(cases.map(({ ima }) => ima?.startingOffset)).toEqual([0, undefined, 0])
  expect(
    cases.map(({ runtimePolicy }) => runtimePolicy?.allows('/bin/one', 'ab'.repeat(32))),
  ).toEqual([...[false, true, true]])
})

test('after a failure the list starts at 0, and the clock is not forgotten', async () => {
  const cases: EvidenceCase[] = []
  const evaluate = (evidence: EvidenceCase): Evaluation => {
    cases.push(evidence)
    if (cases.length === 2) return { verdict: 'fail', findings: [] }
    const clock = { clock: 2n ** 63n, resetCount: 1, restartCount: 0 }
    return { ...PASS, clock, ima: certified(5, {}) }
  }
  const verifier = await withPolicy(evaluate)
  for (let count = 0; count < 3; count++) await attest(verifier, capabilities(LOGS))
  expect(cases.map(({ ima }) => ima?.startingOffset)).toEqual([0, 5, 0])
  expect(cases[2]?.previousClock).toEqual({ clock: 2n ** 63n, resetCount: 1, restartCount: 0 })
})
