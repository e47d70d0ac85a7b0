import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { collectGarbage } from '../../dev/testing/collect-garbage.ts'
import { pullAgent, say } from '../../dev/testing/pull-agent.ts'
import { NOON, settableClock } from '../../dev/testing/settable-clock.ts'
import { agentRow } from '../../dev/testing/storage/rows.ts'
import { polling } from '../../dev/testing/verifier/polling.ts'
import { AGENT } from '../../dev/testing/verifier/push-requests.ts'
import { agentVersion } from '../pull/agent-version.ts'
import { agentNotifier } from './agent-notifier.ts'
import { composeNotice, type Incident } from './compose-notice.ts'
import type { Notifier } from './notifier.ts'
import { revocations } from './revocations.ts'

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = KEY.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const LABELS = ['info', 'emergency']

function incident(change: Parameters<typeof agentRow>[0] = {}): Incident {
  const failure = { severity_level: 1, last_event_id: 'a.b', context: '{"message":"m"}' }
  const agent = agentRow({ ip: '127.0.0.1', port: '9002', ...change })
  return { type: 'revocation', agent, failure }
}

function holds(msg: string, signature: string): boolean {
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: saltLength } = constants
  const key = { key: KEY.publicKey, padding, saltLength }
  return verify('sha256', Buffer.from(msg), key, Buffer.from(signature, 'base64'))
}

test('a message has the failed agent, the time, and the failure', () => {
  const { msg } = composeNotice(incident(), LABELS, NOON)
  expect(JSON.parse(msg)).toEqual({
    ...{ type: 'revocation', ip: '127.0.0.1', agent_id: 'a', port: 9002 },
    ...{ tpm_policy: '{}', meta_data: '{}', event_time: 'Fri Jan  2 03:04:05 2026' },
    ...{ event_id: 'a.b', severity_label: 'emergency', context: '{"message":"m"}' },
  })
})

test('the key of an agent signs its message, and no other', () => {
  const { msg, signature } = composeNotice(incident({ revocation_key: PEM }), LABELS, NOON)
  expect([holds(msg, signature), holds(`${msg} `, signature)]).toEqual([true, false])
})

test('without a key nothing is signed', () => {
  expect(composeNotice(incident(), LABELS, NOON).signature).toBe('')
})

interface Lines {
  readonly notified: string[]
  readonly logged: string[]
}

/** A queue before one notifier, whose messages are kept. */
function queue(notifier: Partial<Notifier> = {}, grace = 0, deadline = 60_000) {
  const { notified, logged }: Lines = { notified: [], logged: [] }
  const note = (about: { readonly err?: Error }, text?: string) =>
    void logged.push(`${text}: ${about.err?.message}`)
  const log = { info: note, warn: note, error: note }
  const notify: Notifier['notify'] = async ({ msg }) => void notified.push(JSON.parse(msg).agent_id)
  const notifiers = [{ name: 'test', close: () => undefined, notify, ...notifier }]
  const made = revocations({
    notifiers,
    labels: LABELS,
    clock: settableClock(),
    log,
    grace,
    deadline,
  })
  onTestFinished(() => made.close())
  return { ...made, notified, logged }
}

test('incidents are sent one after another, in order', async () => {
  let atOnce = 0
  const seen: number[] = []
  const { notify, settled } = queue({
    async notify() {
      seen.push(++atOnce)
      await Promise.resolve()
      atOnce -= 1
    },
  })
  for (const agent_id of ['a', 'b', 'c']) notify(incident({ agent_id }))
  await settled()
  expect(seen).toEqual([1, 1, 1])
})

test('a key that cannot sign does not block other notices', async () => {
  const { notify, settled, notified, logged } = queue()
  notify(incident({ revocation_key: 'no key' }))
  await settled()
  expect(notified).toEqual(['a'])
  expect(logged.join()).toContain('unusable revocation_key')
})

test('a receiver that cannot be reached does not block later notices', async () => {
  const notified: string[] = []
  const { notify, settled, logged } = queue({
    async notify({ msg }) {
      notified.push(JSON.parse(msg).agent_id)
      throw new Error('away')
    },
  })
  for (const agent_id of ['a', 'b']) notify(incident({ agent_id }))
  await settled()
  expect(notified).toEqual(['a', 'b'])
  expect(logged.join()).toContain('away')
})

test('a receiver that never answers does not block later notices, although garbage is collected meanwhile', async () => {
  const notified: string[] = []
  const notify: Notifier['notify'] = ({ msg }) => {
    notified.push(JSON.parse(msg).agent_id)
    setTimeout(collectGarbage, 20)
    return new Promise(() => undefined)
  }
  const silent = queue({ notify }, 0, 200)
  for (const agent_id of ['a', 'b']) silent.notify(incident({ agent_id }))
  await silent.settled()
  expect(notified).toEqual(['a', 'b'])
  expect(silent.logged).toHaveLength(2)
})

test('waiting notices are sent before the verifier ends', async () => {
  const notified: string[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const holding: Notifier['notify'] = async ({ msg }) => {
    await gate
    notified.push(JSON.parse(msg).agent_id)
  }
  const { notify, close, logged } = queue({ notify: holding }, 60_000)
  for (const agent_id of ['a', 'b']) notify(incident({ agent_id }))
  const closed = close()
  open()
  await closed
  expect([notified, logged]).toEqual([['a', 'b'], []])
})

test('each notice that was not sent by then is logged', async () => {
  const { notify, close, logged } = queue({ notify: () => new Promise(() => undefined) })
  for (const agent_id of ['a', 'b']) notify(incident({ agent_id }))
  await close()
  expect(logged[0]).toContain('revocation message not delivered')
  expect(logged[1]).toContain('before the verifier stopped')
})

test('more incidents than may wait are in the log, and in no memory', () => {
  const { notify, logged } = queue({ notify: () => new Promise(() => undefined) })
  for (let count = 0; count < 1030; count++) notify(incident())
  expect(logged).toHaveLength(5)
  expect(logged[0]).toContain('too many')
})

test('agents are notified over the connections of their polls, the failed one too', async () => {
  const [one, other, verifier] = [await pullAgent(), await pullAgent(), await polling()]
  await verifier.add(one)
  const { polls, store, config } = verifier.verifier
  await verifier.verifier.ask('add-agent', { agent_id: 'other' }, other.request())
  await verifier.passes(2)
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const agents = agentNotifier({
    ...{ store, log, agents: () => polls.agents() },
    versionOf: (agent) => agentVersion({ config }, agent),
    ask: (agent, question) => polls.ask(agent, question),
  })
  for (const agent of [one, other])
    agent.answers((asked, response, honest) =>
      asked.path.endsWith('/revocation') ? say(response, 200, {}) : honest(),
    )
  const signal = new AbortController().signal
  const notice = composeNotice(incident({ agent_id: AGENT }), LABELS, NOON)
  await agents.notify(notice, agentRow(), signal)
  for (const { asked } of [one, other]) {
    expect(asked.at(-1)).toMatchObject({ method: 'POST', path: '/v2.5/notifications/revocation' })
    expect(JSON.parse(asked.at(-1)?.body ?? '')).toEqual(notice)
    expect(new Set(asked.map(({ from }) => from)).size).toBe(1)
  }
})
