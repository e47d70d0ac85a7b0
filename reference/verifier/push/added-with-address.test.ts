import { expect, test } from 'vitest'
import { pullAgent } from '../../dev/testing/pull-agent.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { type Polling, polling } from '../../dev/testing/verifier/polling.ts'
import { AGENT, AK, attest, begin, pcr } from '../../dev/testing/verifier/push-requests.ts'

/** An agent that was added with every member, and is about to be asked. */
async function asked(...settings: readonly string[]) {
  const [agent, verifier] = [await pullAgent(), await polling(settings)]
  const request = agent.request({ ak_tpm: AK, tpm_policy: JSON.stringify({ 0: [pcr(0)] }) })
  await verifier.verifier.ask('add-agent', { agent_id: AGENT }, request)
  return { agent, ...verifier }
}

function moved({ verifier }: Polling, operational_state: number) {
  return verifier.store.agents.change(AGENT, () => ({ operational_state }))
}

test('an agent that was added with an address attests by itself, and is not asked any more', async () => {
  const { agent, verifier, ...rest } = await asked()
  expect((await attest(verifier)).attributes.evaluation).toBe('pass')
  const times = agent.asked.length
  await rest.pass(60)
  expect(agent.asked).toHaveLength(times)
  expect(await rest.stored()).toMatchObject({ mode: 'push', operational_state: 3, failures: 0 })
})

test('capabilities alone do not end the polling', async () => {
  const { agent, verifier, ...rest } = await asked()
  await begin(verifier)
  const times = agent.asked.length
  await rest.pass(60)
  expect(agent.asked.length).toBeGreaterThan(times)
  expect(await rest.stored()).toMatchObject({ mode: 'pull' })
})

test('an agent that stops sending is silent, also if it was added with an address', async () => {
  const { verifier, ...rest } = await asked()
  await attest(verifier)
  await rest.pass(60)
  expect(await rest.record()).toMatchObject({ attestation_status: 'FAIL' })
  expect(await refusalOf(() => begin(verifier))).toMatchObject({ status: 403 })
})

test.each([
  ['failed to answer', 7, 'taken'],
  ['whose evidence failed', 9, 'refused'],
  ['that was stopped', 10, 'refused'],
])('evidence of an agent %s is %s until it is reactivated', async (_, state, expected) => {
  const { verifier, ...rest } = await asked()
  await moved({ verifier, ...rest }, state)
  if (expected === 'refused')
    expect(await refusalOf(() => begin(verifier))).toMatchObject({ status: 403 })
  if (expected === 'refused') await rest.ask('reactivate-agent')
  expect((await attest(verifier)).attributes.evaluation).toBe('pass')
})

test('a verifier that only asks refuses evidence, and says so', async () => {
  const { verifier } = await asked('mode=pull')
  expect(await refusalOf(() => begin(verifier))).toMatchObject({
    status: 403,
    message: expect.stringContaining('mode=pull'),
  })
})
