import { expect, test } from 'vitest'
import {
  AGENT,
  attest,
  begin,
  enrol,
  evidenceFor,
  readAgent,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'

const PCR_IS_A_NOTICE = 'severity_policy=[{"event_id":"pcr.*","severity_label":"notice"}]'
const OTHER_PCR = { tpm_policy: JSON.stringify({ 0: ['ff'.repeat(32)] }) }

async function failWith(verifier: TestVerifier, quote: Readonly<Record<string, unknown>>) {
  const begun = await begin(verifier)
  const params = { agent_id: AGENT, index: begun.id }
  await verifier.finish(await verifier.ask('submit-evidence', params, evidenceFor(begun, quote)))
}

test('evidence that passes is no event', async () => {
  const verifier = await testVerifier()
  await enrol(verifier)
  await attest(verifier)
  expect(await readAgent(verifier)).toMatchObject({ severity_level: null, last_event_id: null })
  expect(verifier.incidents).toEqual([])
})

test('a failed attestation is in the record, and is reported once', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, OTHER_PCR)
  await attest(verifier)
  await attest(verifier)
  const event = { severity_level: 6, last_event_id: 'pcr_validation.invalid_pcr_0' }
  expect(await readAgent(verifier)).toMatchObject(event)
  expect(verifier.incidents).toMatchObject([
    { type: 'revocation', agent: { agent_id: AGENT }, failure: event },
  ])
})

test('a failure that is worse than the one before is reported too', async () => {
  const verifier = await testVerifier({ settings: [PCR_IS_A_NOTICE] })
  await enrol(verifier, OTHER_PCR)
  await attest(verifier)
  await failWith(verifier, { signature: 'AAAA' })
  await attest(verifier)
  expect(verifier.incidents.map(({ failure }) => failure.severity_level)).toEqual([1, 6])
})

test('after a reactivation the next failure is reported again', async () => {
  const verifier = await testVerifier()
  await enrol(verifier, OTHER_PCR)
  await attest(verifier)
  await verifier.ask('reactivate-agent', { agent_id: AGENT })
  await attest(verifier)
  expect(verifier.incidents).toHaveLength(2)
})
