import { spawn } from 'node:child_process'
import { constants, generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { developmentProgram } from '../../dev/testing/development-program.ts'
import { freePort } from '../../dev/testing/free-port.ts'
import { AGENT_TLS, pullAgent } from '../../dev/testing/pull-agent.ts'
import { PCR } from '../../dev/testing/stub-pull-machine.ts'
import {
  type SpawnedVerifier,
  spawnedVerifier,
} from '../../dev/testing/verifier/spawned-verifier.ts'

const DEADLINE = 20_000
const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY_TEXT = KEY.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** `operational_state` of an agent whose quote was not as it should be. */
const INVALID_QUOTE = 9

interface Status {
  readonly [name: string]: unknown
}

const SUBSCRIBER = developmentProgram('reference/dev/testing/zeromq-subscriber.ts')

/** A verifier that publishes revocations, and the messages that a subscriber received. */
async function publishing() {
  const port = await freePort()
  const names = 'enabled_revocation_notifications=zeromq'
  const verifier = await spawnedVerifier([names, `zmq_port=${port}`, 'quote_interval=1'])
  const words = [...SUBSCRIBER, `tcp://127.0.0.1:${port}`]
  const subscriber = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void subscriber.kill('SIGKILL'))
  const messages: string[][] = []
  createInterface(subscriber.stdout).on('line', (line) => messages.push(JSON.parse(line)))
  return { verifier, messages }
}

/** Adds an agent whose PCRs are of this value, and its policy allows but one. */
async function add({ ask, ca }: SpawnedVerifier, pcr: string): Promise<string> {
  const agent = await pullAgent(AGENT_TLS, ca)
  agent.set({ pcr })
  const body = agent.request({ revocation_key: KEY_TEXT, metadata: '{"name":"a machine"}' })
  const path = `/v2.5/agents/${randomUUID()}`
  expect((await ask(path, { method: 'POST', body, admin: true })).status).toBe(200)
  return path
}

/** The agent record of the verifier, once it matches. */
async function until({ ask }: SpawnedVerifier, path: string, wanted: (status: Status) => boolean) {
  const deadline = Date.now() + DEADLINE
  for (;;) {
    const { results } = (await ask(path, { admin: true })).body as { results: Status }
    if (wanted(results)) return results
    if (Date.now() > deadline)
      throw new Error(`the agent stays as it is: ${JSON.stringify(results)}`)
  }
}

const isRevoked = ({ operational_state }: Status) => operational_state === INVALID_QUOTE
const hasPassed = ({ attestation_count }: Status) => Number(attestation_count) > 0

/** Revokes an agent until a message arrives: a new subscriber does not get earlier messages. */
async function firstMessage(
  verifier: SpawnedVerifier,
  path: string,
  messages: readonly (readonly string[])[],
): Promise<readonly string[]> {
  const deadline = Date.now() + DEADLINE
  while (messages[0] === undefined) {
    if (Date.now() > deadline) throw new Error('no revocation was published')
    await until(verifier, path, isRevoked)
    await verifier.ask(`${path}/reactivate`, { method: 'PUT', admin: true })
  }
  return messages[0]
}

function holds(msg: string, signature: string): boolean {
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: saltLength } = constants
  const key = { key: KEY.publicKey, padding, saltLength }
  return verify('sha256', Buffer.from(msg), key, Buffer.from(signature, 'base64'))
}

test('a subscriber gets the signed message of the agent that fails, and none for one that passes', async () => {
  const { verifier, messages } = await publishing()
  await until(verifier, await add(verifier, PCR), hasPassed)
  const path = await add(verifier, 'cd'.repeat(32))
  const frames = await firstMessage(verifier, path, messages)
  expect(frames).toHaveLength(1)
  const { msg, signature, ...more } = JSON.parse(frames[0] ?? '')
  expect(more).toEqual({})
  expect([holds(msg, signature), holds(`${msg} `, signature)]).toEqual([true, false])
  const { last_event_id, ip, port, tpm_policy, meta_data } = await until(verifier, path, isRevoked)
  expect(JSON.parse(msg)).toEqual({
    ...{ type: 'revocation', agent_id: path.split('/').at(-1), ip, port: Number(port) },
    ...{ tpm_policy, meta_data, event_id: last_event_id, severity_label: 'emergency' },
    ...{ event_time: expect.any(String), context: expect.any(String) },
  })
})
