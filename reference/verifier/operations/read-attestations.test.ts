import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import {
  AGENT,
  attest,
  begin,
  enrol,
  readAttestation,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { collect } from '../../platform/collect.ts'

async function enrolled(): Promise<TestVerifier> {
  const verifier = await testVerifier()
  await enrol(verifier)
  return verifier
}

async function list(verifier: TestVerifier): Promise<readonly { readonly id: string }[]> {
  const { elements } = await verifier.ask('list-attestations', { agent_id: AGENT })
  if (elements === undefined) throw new Error('the verifier answers without a list')
  return collect(elements as AsyncIterable<{ readonly id: string }>)
}

test('attestations are listed oldest first, each as it is read alone', async () => {
  const verifier = await enrolled()
  await attest(verifier)
  await begin(verifier)
  expect(await list(verifier)).toEqual([
    await readAttestation(verifier, '0'),
    await readAttestation(verifier, '1'),
  ])
})

test('without attestations the list is empty', async () => {
  expect(await list(await enrolled())).toEqual([])
})

test('the latest is the one with the highest index, with its index in the link', async () => {
  const verifier = await enrolled()
  for (let count = 0; count < 11; count++) await begin(verifier)
  const latest = await readAttestation(verifier)
  expect([latest.id, latest.links.self]).toEqual(['10', `/v3/agents/${AGENT}/attestations/10`])
})

test.each([
  '1',
  '00',
  '-1',
  '0e0',
  '0.0',
  '0x0',
  ' 0',
  'first',
  'LATEST',
  '9'.repeat(400),
  '__proto__',
])('the index %o is 404 when there is only 0', async (index) => {
  const verifier = await enrolled()
  await begin(verifier)
  expect(await refusalOf(() => readAttestation(verifier, index))).toMatchObject({
    status: 404,
    message: `No such attestation of agent '${AGENT}'.`,
  })
})

test('an agent unknown is 404, one by one and in the list', async () => {
  const verifier = await testVerifier()
  const message = `No enrolled agent with ID '${AGENT}'.`
  expect(await refusalOf(() => readAttestation(verifier))).toMatchObject({ status: 404, message })
  expect(await refusalOf(() => list(verifier))).toMatchObject({ status: 404, message })
})
