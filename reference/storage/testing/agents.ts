import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type OpenStore, storeWithAgent } from '../../dev/testing/storage/open-store.ts'
import { agentRow, attestationRow, policyRow, sessionRow } from '../../dev/testing/storage/rows.ts'
import { collect } from '../../platform/collect.ts'
import type { NewAttestation } from '../attestation-store.ts'
import type { VerifierStore } from '../verifier-store.ts'

/** Appends without a size limit. */
function append(store: VerifierStore, row: NewAttestation) {
  return store.attestations.append(row, 1_000_000)
}

/** What every store keeps of agents, policies and sessions. */
export function agentContract(open: OpenStore): void {
  test('an enrolled agent is found as it was enrolled', async () => {
    const store = await storeWithAgent(open)
    expect(await store.agents.find('a')).toEqual(agentRow())
  })

  test('agents are listed by their ids, or those of one verifier', async () => {
    const store = await storeWithAgent(open)
    const other = agentRow({ agent_id: '0', verifier_id: 'another' })
    await store.agents.enrol(other, undefined)
    expect(await store.agents.list()).toEqual([other, agentRow()])
    expect(await store.agents.list('another')).toEqual([other])
    expect(await store.agents.list('a third')).toEqual([])
  })

  test('agents that are asked for quotes are listed, and no others', async () => {
    const store = await storeWithAgent(open)
    await store.agents.enrol(
      agentRow({ agent_id: 'b', mode: 'pull', severity_level: 2 }),
      undefined,
    )
    expect(await store.agents.polled()).toEqual([
      {
        ...{ agent_id: 'b', mode: 'pull', operational_state: 3 },
        ...{ severity_level: 2, verifier_id: 'default' },
      },
    ])
  })

  test('an empty change leaves an agent as it is', async () => {
    const store = await storeWithAgent(open)
    expect(await store.agents.change('a', () => undefined)).toBe(false)
    expect(await store.agents.find('a')).toEqual(agentRow())
  })

  test('an id is enrolled once', async () => {
    const store = await storeWithAgent(open)
    const again = agentRow({ ak_tpm: 'OTHER', enrolment: 'second' })
    expect(await store.agents.enrol(again, undefined)).toBe('agent_exists')
    expect(await store.agents.find('a')).toEqual(agentRow())
  })

  test('of enrolments at the same time one wins', async () => {
    const store = await open()
    const names = ['first', 'second', 'third']
    const outcomes = await Promise.all(
      names.map((enrolment) => store.agents.enrol(agentRow({ enrolment }), undefined)),
    )
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
  })

  test('a policy that comes with an agent is stored with it', async () => {
    const store = await open()
    const row = agentRow({ runtime_policy_name: 'p' })
    expect(await store.agents.enrol(row, policyRow('p'))).toBeUndefined()
    expect(await store.policies.find('p')).toEqual(policyRow('p'))
  })

  test('a policy that comes with an agent takes no name that is taken, and no agent is left', async () => {
    const store = await open()
    await store.policies.add({ ...policyRow('p'), runtime_policy: '{"old":1}' })
    const row = agentRow({ runtime_policy_name: 'p' })
    expect(await store.agents.enrol(row, policyRow('p'))).toBe('policy_exists')
    expect(await store.agents.find('a')).toBeUndefined()
    expect((await store.policies.find('p'))?.runtime_policy).toBe('{"old":1}')
  })

  test('a policy that comes with an agent which is there already is not stored', async () => {
    const store = await storeWithAgent(open)
    const row = agentRow({ runtime_policy_name: 'p' })
    expect(await store.agents.enrol(row, policyRow('p'))).toBe('agent_exists')
    expect(await store.policies.names()).toEqual([])
  })

  test('an agent can refer to existing policies only', async () => {
    const store = await open()
    const row = agentRow({ runtime_policy_name: 'p' })
    expect(await store.agents.enrol(row, undefined)).toBe('policy_missing')
    await store.policies.add(policyRow('p'))
    expect(await store.agents.enrol(row, undefined)).toBeUndefined()
  })

  test('an agent is removed once, with its attestations', async () => {
    const store = await storeWithAgent(open)
    await append(store, attestationRow())
    expect([await store.agents.remove('a'), await store.agents.remove('a')]).toEqual([true, false])
    expect(await collect(store.attestations.list('a'))).toEqual([])
  })

  test('the sessions and attestations of another agent stay', async () => {
    const store = await storeWithAgent(open)
    await store.agents.enrol(agentRow({ agent_id: 'b' }), undefined)
    await store.sessions.grant(sessionRow({ agent_id: 'b' }))
    await append(store, attestationRow({ agent_id: 'b' }))
    await store.agents.remove('a')
    expect(await store.sessions.find('s')).toBeDefined()
    expect(await collect(store.attestations.list('b'))).toHaveLength(1)
  })

  test('the policy under its own id goes with an agent, a shared one stays', async () => {
    const store = await open()
    await store.agents.enrol(agentRow({ runtime_policy_name: 'a' }), policyRow('a'))
    const other = agentRow({ agent_id: 'b', runtime_policy_name: 'shared' })
    await store.agents.enrol(other, policyRow('shared'))
    await store.agents.remove('a')
    await store.agents.remove('b')
    expect(await store.policies.names()).toEqual(['shared'])
  })

  test('the policy under the id of an agent stays while another agent uses it', async () => {
    const store = await open()
    await store.agents.enrol(agentRow({ runtime_policy_name: 'a' }), policyRow('a'))
    await store.agents.enrol(agentRow({ agent_id: 'b', runtime_policy_name: 'a' }), undefined)
    await store.agents.remove('a')
    expect(await store.policies.names()).toEqual(['a'])
  })

  test('a policy name is taken once', async () => {
    const store = await open()
    expect(await store.policies.add(policyRow('p'))).toBe(true)
    expect(await store.policies.add({ ...policyRow('p'), runtime_policy: 'x' })).toBe(false)
    expect(await store.policies.find('p')).toEqual(policyRow('p'))
  })

  test('the digest of a policy is that of its text, however it came', async () => {
    const store = await open()
    const of = (text: string) => createHash('sha256').update(text).digest('hex')
    await store.agents.enrol(agentRow({ runtime_policy_name: 'a' }), policyRow('a'))
    await store.policies.add({ ...policyRow('p'), runtime_policy: 'é' })
    const briefs = await Promise.all(['a', 'p', 'q'].map((name) => store.policies.brief(name)))
    expect(briefs.map((brief) => brief?.digest)).toEqual([of('{}'), of('é'), undefined])
    await store.policies.replace({ ...policyRow('p'), runtime_policy: 'y' })
    expect(await store.policies.brief('p')).toMatchObject({ digest: of('y') })
  })

  test('a policy in use is not removed, and its user is named', async () => {
    const store = await open()
    for (const agent_id of ['c', 'b'])
      await store.agents.enrol(
        agentRow({ agent_id, runtime_policy_name: 'p' }),
        agent_id === 'c' ? policyRow('p') : undefined,
      )
    expect(await store.policies.remove('p')).toEqual({ outcome: 'in_use', by: 'b' })
    expect(await store.policies.names()).toEqual(['p'])
  })

  test('an unused policy is removed once', async () => {
    const store = await open()
    await store.policies.add(policyRow('p'))
    expect(await store.policies.remove('p')).toEqual({ outcome: 'removed' })
    expect(await store.policies.remove('p')).toEqual({ outcome: 'missing' })
  })

  test('a session comes with the current enrolment of its agent', async () => {
    const store = await storeWithAgent(open)
    await store.sessions.grant(sessionRow())
    const found = async () => (await store.sessions.find('s'))?.present_enrolment
    expect(await found()).toBe('first')
    await store.agents.remove('a')
    expect(await found()).toBeNull()
    await store.agents.enrol(agentRow({ enrolment: 'second' }), undefined)
    expect(await found()).toBe('second')
    expect(await store.sessions.find('s')).toMatchObject(sessionRow())
  })

  test('a token is granted to an enrolment that is there, and to no other', async () => {
    const store = await storeWithAgent(open)
    expect(await store.sessions.grant(sessionRow())).toBe(true)
    expect(await store.sessions.grant(sessionRow({ id: 't', enrolment: 'second' }))).toBe(false)
    expect(await store.sessions.grant(sessionRow({ id: 'u', agent_id: 'b' }))).toBe(false)
    expect(await store.sessions.find('t')).toBeUndefined()
    expect(await store.sessions.find('u')).toBeUndefined()
  })

  test('a proof is checked with the enrolled key and its accepted algorithms', async () => {
    const store = await storeWithAgent(open)
    expect(await store.sessions.keyOf('a')).toEqual({
      enrolment: 'first',
      ak_tpm: 'AK',
      accept_tpm_hash_algs: '["sha256"]',
      accept_tpm_encryption_algs: '["ecc","rsa"]',
      accept_tpm_signing_algs: '["rsassa","ecdsa"]',
    })
    expect(await store.sessions.keyOf('b')).toBeUndefined()
  })

  test('sessions whose token is past are removed, others stay', async () => {
    const store = await storeWithAgent(open)
    for (const token_expires_at of [99, 100, 101])
      await store.sessions.grant(sessionRow({ id: String(token_expires_at), token_expires_at }))
    await store.sessions.removeExpired(100)
    const left = await Promise.all(['99', '100', '101'].map((id) => store.sessions.find(id)))
    expect(left.flatMap((row) => row?.id ?? [])).toEqual(['101'])
  })

  test("of an enrolment's tokens the newest live one is extended", async () => {
    const store = await storeWithAgent(open)
    await store.agents.enrol(agentRow({ agent_id: 'b' }), undefined)
    const rows = {
      old: { granted_at: 1, token_expires_at: 300 },
      newest: { granted_at: 2, token_expires_at: 300 },
      dead: { granted_at: 3, token_expires_at: 200 },
      other: { agent_id: 'b', granted_at: 5, token_expires_at: 300 },
    }
    for (const [id, change] of Object.entries(rows))
      await store.sessions.grant(sessionRow({ id, ...change }))
    await store.sessions.extend('a', 900, 200)
    const expiries = async () => {
      const after = await Promise.all(Object.keys(rows).map((id) => store.sessions.find(id)))
      return after.map((row) => row?.token_expires_at)
    }
    expect(await expiries()).toEqual([300, 900, 200, 300])
    await store.agents.remove('a')
    await store.agents.enrol(agentRow({ enrolment: 'second' }), undefined)
    await store.sessions.extend('a', 1000, 200)
    expect(await expiries()).toEqual([300, 900, 200, 300])
  })
}
