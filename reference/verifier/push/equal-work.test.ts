import { expect, test } from 'vitest'
import {
  AGENT,
  completeSession,
  enrol,
  openSession,
  proofFor,
  tokenOf,
} from '../../dev/testing/verifier/push-requests.ts'
import { type TestVerifier, testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { possessionChecks } from '../../evidence/quote/possession.ts'
import { sessionRules } from './session/session-rules.ts'
import { authenticateToken } from './session/token.ts'

type Calls = string[]

/** An object whose functions say that they were called. */
function counting<T extends object>(name: string, subject: T, calls: Calls): T {
  return new Proxy(subject, {
    get(target, member, receiver) {
      const value: unknown = Reflect.get(target, member, receiver)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        calls.push(`${name}.${String(member)}`)
        return Reflect.apply(value, target, args)
      }
    },
  })
}

/** A verifier with one agent that writes down its work: statements to the store, checks that found something to do, hashes. */
async function watched(): Promise<{ verifier: TestVerifier; workOf: WorkOf }> {
  const calls: Calls = []
  const checks = possessionChecks.map((check) => ({
    ...check,
    run: (subject: Parameters<typeof check.run>[0]) => {
      calls.push(check.id, `${check.id} under ${subject.key.value?.key.asymmetricKeyType}`)
      return check.run(subject)
    },
  }))
  const verifier = await testVerifier({
    checks,
    sessionRules: counting('rules', sessionRules, calls),
  })
  const { store } = verifier
  Object.assign(store, { sessions: counting('sessions', store.sessions, calls) })
  Object.assign(store, { agents: counting('agents', store.agents, calls) })
  await enrol(verifier)
  const workOf: WorkOf = async (act) => {
    calls.length = 0
    await act()
    return [...calls]
  }
  return { verifier, workOf }
}

type WorkOf = (act: () => Promise<unknown>) => Promise<readonly string[]>

const STRANGER = 'a6a4d1a4-6b5a-4b3e-9a53-2f7a2d4f0000'

test('opening a session is as much work for an agent that is not enrolled', async () => {
  const { verifier, workOf } = await watched()
  const known = await workOf(() => openSession(verifier))
  const unknown = await workOf(() => openSession(verifier, STRANGER))
  expect(known).toContain('sessions.keyOf')
  expect(unknown).toEqual(known)
})

test('a failed proof is as much work for an agent that is not enrolled, and for a late one', async () => {
  const { verifier, workOf } = await watched()
  const failing = async (agent_id: string, seconds = 0) => {
    const session = await openSession(verifier, agent_id)
    const data = proofFor(await openSession(verifier, agent_id))
    verifier.clock.pass(seconds)
    const evaluations: unknown[] = []
    const work = await workOf(async () => {
      const { attributes } = await completeSession(verifier, session.id, data, agent_id)
      evaluations.push(attributes.evaluation)
    })
    expect(evaluations).toEqual(['fail'])
    return work
  }
  const known = await failing(AGENT)
  expect(known.filter((call) => call === 'possession.signature under ec')).toHaveLength(1)
  expect(known.filter((call) => call.startsWith('sessions.'))).toEqual(['sessions.keyOf'])
  expect(await failing(STRANGER)).toEqual(known)
  expect(await failing(AGENT, 60)).toEqual(known)
  expect(await failing(STRANGER, 60)).toEqual(known)
})

test('a valid proof is verified for an agent that is not enrolled too', async () => {
  const { verifier, workOf } = await watched()
  const session = await openSession(verifier, STRANGER)
  const work = await workOf(() =>
    completeSession(verifier, session.id, proofFor(session), STRANGER),
  )
  expect(work).toContain('possession.signature under ec')
})

test('a token is as much work for a session that was never opened', async () => {
  const { verifier, workOf } = await watched()
  const token = await tokenOf(verifier)
  const [id = '', secret = ''] = token.split('.')
  const refused = [
    `${id}.${secret.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
    `${STRANGER}.${secret}`,
    `${STRANGER}.`,
    STRANGER,
    '.',
  ]
  for (const one of refused) {
    const work = await workOf(async () => {
      expect(await authenticateToken(verifier, one)).toBeUndefined()
    })
    expect(work).toEqual(['sessions.find', 'rules.hashToken', 'rules.isSameHash'])
  }
})
