import { expect, test } from 'vitest'
import { type OpenStore, storeWithAgent } from '../../dev/testing/storage/open-store.ts'
import { agentRow, attestationRow } from '../../dev/testing/storage/rows.ts'
import { collect } from '../../platform/collect.ts'
import type { NewAttestation } from '../attestation-store.ts'
import type { AgentRow } from '../databases/database.ts'
import type { VerifierStore } from '../verifier-store.ts'

const AWAITING = 'awaiting_evidence'
const EVALUATING = 'evaluating_evidence'
const BY_ME = { owner: 'me', now: 1000, until: 2000 }

/** Appends without a size limit. */
function append(store: VerifierStore, row: NewAttestation) {
  return store.attestations.append(row, 1_000_000)
}

/** Deletes the agent and adds it again, with one attestation at the same index and stage. */
async function enrolAgain(store: VerifierStore, stage: string): Promise<void> {
  await store.agents.remove('a')
  await store.agents.enrol(agentRow({ enrolment: 'second' }), undefined)
  await append(store, attestationRow({ enrolment: 'second', stage }))
}

/** What every store keeps of attestations. */
export function attestationContract(open: OpenStore): void {
  test('indexes start at 0 and are consecutive, also when they are given at the same time', async () => {
    const store = await storeWithAgent(open)
    await Promise.all(Array.from({ length: 10 }, () => append(store, attestationRow())))
    const indexes = (await collect(store.attestations.list('a'))).map(({ index }) => index)
    expect(indexes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect((await store.attestations.latest('a'))?.index).toBe(9)
  })

  test('each agent counts for itself', async () => {
    const store = await storeWithAgent(open)
    await store.agents.enrol(agentRow({ agent_id: 'b' }), undefined)
    await append(store, attestationRow())
    const other = await append(store, attestationRow({ agent_id: 'b' }))
    expect(other?.index).toBe(0)
  })

  test('nothing is appended for an agent that is gone, or enrolled anew', async () => {
    const store = await open()
    expect(await append(store, attestationRow())).toBeUndefined()
    await store.agents.enrol(agentRow({ enrolment: 'second' }), undefined)
    expect(await append(store, attestationRow())).toBeUndefined()
    expect(await collect(store.attestations.list('a'))).toEqual([])
  })

  test('an attestation leaves a stage once, also at the same time', async () => {
    const store = await storeWithAgent(open)
    const row = { ...attestationRow(), index: 0 }
    await append(store, attestationRow())
    const advance = () => store.attestations.advance(row, AWAITING, { stage: EVALUATING })
    const moves = await Promise.all([advance(), advance(), advance()])
    expect(moves.filter(Boolean)).toHaveLength(1)
    expect((await store.attestations.find('a', 0))?.stage).toBe(EVALUATING)
  })

  test('with an attestation its agent moves on, and only then', async () => {
    const store = await storeWithAgent(open)
    await append(store, attestationRow())
    const row = { ...attestationRow(), index: 0 }
    const advance = (timeout_at: number) =>
      store.attestations.advance(row, AWAITING, { stage: EVALUATING }, { timeout_at })
    expect(await advance(4_102_444_800_000)).toBe(true)
    expect(await advance(1)).toBe(false)
    expect((await store.agents.find('a'))?.timeout_at).toBe(4_102_444_800_000)
  })

  test('an attestation of an earlier enrolment advances none of a later one', async () => {
    const store = await storeWithAgent(open)
    const row = await append(store, attestationRow())
    if (row === undefined) throw new Error('nothing was appended')
    await enrolAgain(store, AWAITING)
    expect(await store.attestations.advance(row, AWAITING, { stage: EVALUATING })).toBe(false)
    expect((await store.attestations.find('a', 0))?.stage).toBe(AWAITING)
  })

  test('a conclusion changes the attestation and its agent together', async () => {
    const store = await storeWithAgent(open)
    const key = { agent_id: 'a', index: 0, enrolment: 'first' }
    await append(store, attestationRow({ stage: EVALUATING }))
    const agent = ({ attestation_count }: AgentRow) => ({
      attestation_count: attestation_count + 1,
    })
    const change = { attestation: { stage: 'done' }, agent }
    expect((await store.attestations.claim(EVALUATING, BY_ME))?.index).toBe(0)
    expect(await store.attestations.conclude(key, EVALUATING, 'me', change)).toBe(true)
    expect((await store.attestations.find('a', 0))?.stage).toBe('done')
    expect((await store.agents.find('a'))?.attestation_count).toBe(1)
  })

  test('a second conclusion changes neither', async () => {
    const store = await storeWithAgent(open)
    const key = { agent_id: 'a', index: 0, enrolment: 'first' }
    await append(store, attestationRow({ stage: 'done' }))
    const change = { attestation: { stage: 'again' }, agent: () => ({ attestation_count: 1 }) }
    expect(await store.attestations.conclude(key, EVALUATING, 'me', change)).toBe(false)
    expect(await store.agents.find('a')).toEqual(agentRow())
  })

  test('a conclusion of an earlier enrolment changes nothing of a later one', async () => {
    const store = await storeWithAgent(open)
    const key = { agent_id: 'a', index: 0, enrolment: 'first' }
    await enrolAgain(store, EVALUATING)
    const change = { attestation: { stage: 'done' }, agent: () => ({ failures: 1 }) }
    expect(await store.attestations.conclude(key, EVALUATING, 'me', change)).toBe(false)
    expect((await store.attestations.find('a', 0))?.stage).toBe(EVALUATING)
    expect((await store.agents.find('a'))?.failures).toBe(0)
  })

  async function claimed(store: VerifierStore, claim = BY_ME) {
    const row = await store.attestations.claim(EVALUATING, claim)
    return row && `${row.agent_id}${row.index}`
  }

  /** A store with one attestation to evaluate of each of some agents. */
  async function withEvidenceOf(...agents: readonly string[]): Promise<VerifierStore> {
    const store = await open()
    for (const [at, agent_id] of agents.entries()) {
      await store.agents.enrol(agentRow({ agent_id }), undefined)
      await append(store, attestationRow({ agent_id, stage: EVALUATING, evidence_received_at: at }))
    }
    return store
  }

  test('evidence is claimed in the order in which it came, each once', async () => {
    const store = await withEvidenceOf('b', 'a')
    expect([await claimed(store), await claimed(store)]).toEqual(['b0', 'a0'])
    expect(await claimed(store)).toBeUndefined()
  })

  test('each attestation of simultaneous claims has one owner', async () => {
    const store = await withEvidenceOf('a', 'b', 'c', 'd')
    const all = await Promise.all(Array.from({ length: 8 }, () => claimed(store)))
    expect(all.filter((each) => each !== undefined).toSorted()).toEqual(['a0', 'b0', 'c0', 'd0'])
  })

  test('of an agent the earlier evidence goes first, and the later when that is over', async () => {
    const store = await withEvidenceOf('a')
    await append(store, attestationRow({ stage: EVALUATING, evidence_received_at: 9 }))
    expect([await claimed(store), await claimed(store)]).toEqual(['a0', undefined])
    const key = { agent_id: 'a', index: 0, enrolment: 'first' }
    const change = { attestation: { stage: 'done' }, agent: () => ({ failures: 1 }) }
    await store.attestations.conclude(key, EVALUATING, 'me', change)
    expect(await claimed(store)).toBe('a1')
  })

  test('an expired claim is taken over, and its former owner cannot conclude', async () => {
    const store = await withEvidenceOf('a')
    await claimed(store)
    const later = { owner: 'other', now: BY_ME.until, until: BY_ME.until + 100 }
    expect(await claimed(store, later)).toBe('a0')
    const key = { agent_id: 'a', index: 0, enrolment: 'first' }
    const change = { attestation: { stage: 'done' }, agent: () => ({ failures: 1 }) }
    expect(await store.attestations.conclude(key, EVALUATING, 'me', change)).toBe(false)
    expect((await store.attestations.find('a', 0))?.stage).toBe(EVALUATING)
    expect((await store.agents.find('a'))?.failures).toBe(0)
    expect(await store.attestations.conclude(key, EVALUATING, 'other', change)).toBe(true)
  })

  test('a claim holds as long as its owner renews it, and no other can', async () => {
    const store = await withEvidenceOf('a')
    await claimed(store)
    await store.attestations.renew('me', BY_ME.until + 50)
    await store.attestations.renew('other', 0)
    const later = { owner: 'other', now: BY_ME.until + 49, until: BY_ME.until + 100 }
    expect(await claimed(store, later)).toBeUndefined()
    expect(await claimed(store, { ...later, now: BY_ME.until + 50 })).toBe('a0')
  })

  test('a claim that was given up is there for others', async () => {
    const store = await withEvidenceOf('a')
    await claimed(store)
    const key = { agent_id: 'a', index: 0, enrolment: 'first' }
    expect(await store.attestations.release(key, 'other')).toBe(false)
    expect(await store.attestations.release(key, 'me')).toBe(true)
    expect(await claimed(store, { ...BY_ME, owner: 'other' })).toBe('a0')
    await store.attestations.releaseOf('me')
    expect(await claimed(store)).toBeUndefined()
    await store.attestations.releaseOf('oth')
    expect(await claimed(store)).toBe('a0')
  })

  test('nothing is claimed of an agent that is gone, or awaits evidence', async () => {
    const store = await withEvidenceOf('a')
    await claimed(store)
    await enrolAgain(store, AWAITING)
    expect(await claimed(store)).toBeUndefined()
    expect(await store.attestations.waiting(EVALUATING)).toBe(0)
    expect(await store.attestations.waiting(AWAITING)).toBe(1)
  })

  async function keptIn(limit: number, evidence: readonly string[], stage = 'done') {
    const store = await storeWithAgent(open)
    for (const text of evidence) await append(store, attestationRow({ evidence: text, stage }))
    await store.attestations.append(attestationRow(), limit)
    return (await collect(store.attestations.list('a'))).map(({ index }) => index)
  }

  test('the newest attestations whose evidence fits the limit are kept', async () => {
    const evidence = ['x'.repeat(1000), 'x'.repeat(2000), 'x'.repeat(3000)]
    expect(await keptIn(3 * 1024 + 6000, evidence)).toEqual([0, 1, 2, 3])
    expect(await keptIn(3 * 1024 + 5999, evidence)).toEqual([1, 2, 3])
    expect(await keptIn(0, evidence)).toEqual([3])
  })

  test('an attestation under evaluation is kept with any limit', async () => {
    expect(await keptIn(0, ['x', 'y'], EVALUATING)).toEqual([0, 1, 2])
  })

  test('the attestations of another agent do not count', async () => {
    const store = await storeWithAgent(open)
    await store.agents.enrol(agentRow({ agent_id: 'b' }), undefined)
    await append(store, attestationRow({ agent_id: 'b' }))
    await store.attestations.append(attestationRow(), 0)
    expect(await collect(store.attestations.list('b'))).toHaveLength(1)
  })
}
