import { expect, test } from 'vitest'
import { OTHER_TLS, pullAgent, say } from '../../dev/testing/pull-agent.ts'
import { polling } from '../../dev/testing/verifier/polling.ts'
import { AGENT } from '../../dev/testing/verifier/push-requests.ts'
import { OPERATIONAL_STATES } from '../operational-state.ts'

test('an agent is asked at once, and then once in every interval, over one connection', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  await verifier.add(agent)
  await verifier.passes(3)
  const [first, second] = agent.asked
  expect(first?.query).toMatchObject({ partial: '0', mask: '0x1', ima_ml_entry: '0' })
  expect(first?.query['nonce']).toMatch(/^[A-Za-z0-9]{20}$/)
  expect(second?.query).toMatchObject({ partial: '1' })
  expect(new Set(agent.asked.map(({ from }) => from)).size).toBe(1)
  expect(await verifier.record()).toMatchObject({ operational_state: 3, attestation_count: 3 })
})

test('an agent that shows another certificate is not asked, and fails', async () => {
  const [agent, verifier] = [await pullAgent(OTHER_TLS), await polling(['max_retries=1'])]
  const { mtls_cert } = (await pullAgent()).request()
  await verifier.add(agent, { mtls_cert })
  await verifier.settles(7)
  expect(agent.asked).toEqual([])
  expect(await verifier.record()).toMatchObject({
    last_event_id: 'internal.verifier.not_reachable',
    severity_level: 6,
  })
})

test('a quote over another nonce is invalid, and the agent is not polled again', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  agent.answers(({ query }, _, honest) => {
    Object.assign(query, { nonce: 'A'.repeat(20) })
    honest()
  })
  await verifier.add(agent)
  await verifier.settles(9)
  expect(await verifier.record()).toMatchObject({
    last_event_id: 'quote_validation.quote_validation',
    attestation_status: 'FAIL',
  })
  await verifier.pass(60)
  expect(agent.asked).toHaveLength(1)
})

test('an agent that is busy is asked again, each time later, and then is well', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  agent.answers((_, response) => say(response, 503, {}))
  await verifier.add(agent)
  await verifier.settles(4)
  agent.answers()
  await verifier.passes(1)
  expect(await verifier.record()).toMatchObject({ operational_state: 3, last_event_id: null })
})

test('an agent with a V key is sent it once, after the first quote that holds', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  const v = Buffer.alloc(32, 7).toString('base64')
  await verifier.add(agent, { v })
  await verifier.passes(2)
  expect(agent.receivedV()).toBe(v)
  expect(agent.asked.map(({ path }) => path.split('/').at(-1))).toEqual([
    ...['integrity', 'vkey', 'integrity'],
  ])
})

test('an agent that is stopped is asked no more, and is asked again when it is reactivated', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  await verifier.add(agent)
  await verifier.passes(1)
  await verifier.ask('stop-agent')
  await verifier.pass(60)
  const before = agent.asked.length
  expect(await verifier.record()).toMatchObject({ operational_state: 10 })
  await verifier.ask('reactivate-agent')
  await verifier.passes(2)
  await expect.poll(() => agent.asked.length).toBeGreaterThan(before)
})

test('an agent that was stopped elsewhere while it was asked, and set going again there, is asked again', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  const elsewhere = (state: number) =>
    verifier.verifier.store.agents.change(AGENT, () => ({ operational_state: state }))
  agent.answers(async (_asked, _response, honest) => {
    await elsewhere(OPERATIONAL_STATES.tenant_failed)
    honest()
  })
  await verifier.add(agent)
  expect(await verifier.stored()).toMatchObject({ operational_state: 10 })
  agent.answers()
  await elsewhere(OPERATIONAL_STATES.start)
  await verifier.verifier.polls.sweep()
  await verifier.passes(2)
  expect(agent.asked.length).toBeGreaterThan(2)
})

test('an agent that is reactivated while it is asked is asked again at once, and is well', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  await verifier.add(agent)
  await verifier.passes(1)
  agent.answers(async (_asked, _response, honest) => {
    agent.answers()
    await verifier.ask('reactivate-agent')
    honest()
  })
  await verifier.passes(3)
  expect(await verifier.record()).toMatchObject({ last_event_id: null })
  expect(new Set(verifier.events)).toEqual(new Set(['quote_passed']))
})
