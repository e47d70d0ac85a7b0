import { expect, test } from 'vitest'
import type { OpenStore } from '../../dev/testing/storage/open-store.ts'
import { agentRow, bootPolicyRow, policyRow } from '../../dev/testing/storage/rows.ts'

const OTHER = { ...bootPolicyRow('p'), mb_policy: '{"b":2}' }

/** What every store keeps of boot policies. */
export function bootPolicyContract(open: OpenStore): void {
  test('a name is taken once', async () => {
    const store = await open()
    expect(await store.bootPolicies.add(bootPolicyRow('p'))).toBe(true)
    expect(await store.bootPolicies.add(OTHER)).toBe(false)
    expect(await store.bootPolicies.find('p')).toEqual(bootPolicyRow('p'))
  })

  test('names are listed in order, and are not those of runtime policies', async () => {
    const store = await open()
    await store.policies.add(policyRow('r'))
    for (const name of ['b', 'a']) await store.bootPolicies.add(bootPolicyRow(name))
    expect(await store.bootPolicies.names()).toEqual(['a', 'b'])
  })

  test('a policy that is there is replaced, and no other', async () => {
    const store = await open()
    expect(await store.bootPolicies.replace(OTHER)).toBe(false)
    for (const name of ['p', 'q']) await store.bootPolicies.add(bootPolicyRow(name))
    expect(await store.bootPolicies.replace(OTHER)).toBe(true)
    expect(await store.bootPolicies.find('p')).toEqual(OTHER)
    expect(await store.bootPolicies.find('q')).toEqual(bootPolicyRow('q'))
  })

  test('a policy in use is not removed, and its first user is named', async () => {
    const store = await open()
    await store.bootPolicies.add(bootPolicyRow('p'))
    for (const agent_id of ['c', 'b'])
      await store.agents.enrol(agentRow({ agent_id, mb_policy_name: 'p' }), undefined)
    expect(await store.bootPolicies.remove('p')).toEqual({ outcome: 'in_use', by: 'b' })
    expect(await store.bootPolicies.names()).toEqual(['p'])
  })

  test('an unused policy is removed once', async () => {
    const store = await open()
    await store.bootPolicies.add(bootPolicyRow('p'))
    expect(await store.bootPolicies.remove('p')).toEqual({ outcome: 'removed' })
    expect(await store.bootPolicies.remove('p')).toEqual({ outcome: 'missing' })
  })

  test('an agent can refer to existing policies only', async () => {
    const store = await open()
    const row = agentRow({ mb_policy_name: 'p' })
    expect(await store.agents.enrol(row, undefined)).toBe('boot_policy_missing')
    await store.bootPolicies.add(bootPolicyRow('p'))
    expect(await store.agents.enrol(row, undefined)).toBeUndefined()
  })

  test('a refused enrolment leaves neither policy behind', async () => {
    const store = await open()
    await store.bootPolicies.add(OTHER)
    const row = agentRow({ runtime_policy_name: 'r', mb_policy_name: 'p' })
    const conflict = await store.agents.enrol(row, policyRow('r'), bootPolicyRow('p'))
    expect(conflict).toBe('boot_policy_exists')
    expect(await store.policies.names()).toEqual([])
    expect(await store.bootPolicies.find('p')).toEqual(OTHER)
    expect(await store.agents.find('a')).toBeUndefined()
  })

  test('the policy under its own id goes with an agent, a shared one stays', async () => {
    const store = await open()
    await store.agents.enrol(agentRow({ mb_policy_name: 'a' }), undefined, bootPolicyRow('a'))
    const other = agentRow({ agent_id: 'b', mb_policy_name: 'shared' })
    await store.agents.enrol(other, undefined, bootPolicyRow('shared'))
    await store.agents.remove('a')
    await store.agents.remove('b')
    expect(await store.bootPolicies.names()).toEqual(['shared'])
  })
}
