import { Agent } from 'node:https'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ask, does, POLL, started } from '../testing/polled-agent.ts'
import { MISBEHAVIOURS, type MisbehaviourName } from './pull-script.ts'

test('a script begins and ends at a poll', async () => {
  const agent = await started({ script: [{ does: 'status-500', from: 2, to: 2 }] })
  const kept = new Agent({ keepAlive: true })
  onTestFinished(() => kept.destroy())
  const statuses = []
  for (let poll = 1; poll <= 3; poll += 1)
    statuses.push((await ask(agent, POLL, { agent: kept })).status)
  expect(statuses).toEqual([200, 500, 200])
})

test('a late answer comes when the script is replaced', async () => {
  const agent = await started({ script: does('late-answer') })
  const late = ask(agent, POLL)
  const isWaiting = () => expect(agent.answering).toBe(1)
  await vi.waitFor(isWaiting, { timeout: 4000 })
  expect(await Promise.race([late, pause(150)])).toBe('waiting')
  agent.rewrite([])
  expect((await late).status).toBe(200)
})

test('a connection is disturbed at its poll, even if an earlier one was kept alive', async () => {
  const agent = await started({ script: [{ does: 'tls-alert', from: 2, to: 2 }] })
  const kept = new Agent({ keepAlive: true })
  onTestFinished(() => kept.destroy())
  expect((await ask(agent, POLL, { agent: kept })).status).toBe(200)
  await expect(ask(agent, POLL, { agent: kept })).rejects.toThrow(/alert|EPROTO/)
  expect((await ask(agent, POLL, { agent: kept })).status).toBe(200)
  expect(agent.polls).toBe(3)
})

test.each([
  'connection-reset',
  'no-tls',
  'other-certificate',
  'certificate-of-another-agent',
  'certificate-issued-by-its-own',
  'reset-mid-body',
  'endless-headers',
] as const)('%s gives a client no answer', async (name) => {
  await expect(ask(await started({ script: does(name) }), POLL)).rejects.toThrow()
})

test.each([
  ['silent-connection', 0],
  ['slow-drip', 1],
  ['no-answer', 1],
] as const)(
  '%s makes a client wait, with %i answers being sent until the connection ends',
  async (name, answering) => {
    const agent = await started({ script: does(name) })
    const waiting = ask(agent, POLL).then(
      () => 'answered',
      () => 'ended',
    )
    expect(await Promise.race([waiting, pause(150)])).toBe('waiting')
    expect(agent.answering).toBe(answering)
    await agent.close()
    expect(await waiting).toBe('ended')
    await expect.poll(() => agent.answering).toBe(0)
  },
)

function pause(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'waiting'))
}

const OTHERWISE: readonly MisbehaviourName[] = [
  ...([
    'connection-reset',
    'no-tls',
    'tls-alert',
    'other-certificate',
    'certificate-of-another-agent',
    'certificate-issued-by-its-own',
    'silent-connection',
  ] as const),
  ...(['late-answer', 'slow-drip', 'no-answer', 'huge-body'] as const),
  ...(['endless-headers', 'reset-mid-body'] as const),
]
const RESULT_MISBEHAVIOURS = (Object.keys(MISBEHAVIOURS) as MisbehaviourName[]).filter(
  (name) => !OTHERWISE.includes(name),
)

test.each(RESULT_MISBEHAVIOURS)('%s changes the honest results', async (name) => {
  const agent = await started({ script: [{ does: name, from: 2 }] })
  const poll = POLL.replace('0x400', '0x400401')
  const first = await ask(agent, poll.replace('/v2.5', '/v2.4'))
  const second = await ask(agent, poll.replace('/v2.5', '/v2.4').replace('entry=0', 'entry=10'))
  expect(second.text).not.toBe(first.text)
})

test.each([
  ['Abc0', 'abc0'],
  ['abc0', 'ABC0'],
])('the nonce %s is folded to %s, which is always another one', (nonce, folded) => {
  const quoting = { nonce, pcrs: [10], bank: 'sha256' } as const
  expect(MISBEHAVIOURS['folded-nonce'].quotes?.(quoting)).toEqual({ ...quoting, nonce: folded })
})
