import { isSuccess, results, scenario } from '../../conformance/scenario.ts'
import { storeRuntimePolicy } from './support/engine.ts'

/** Which policies an agent has; a named one is stored before. */
const KINDS = [
  { says: 'no policy', measured: false, measuredBoot: false },
  { says: 'a runtime policy', measured: true, measuredBoot: false },
  { says: 'a boot policy', measured: false, measuredBoot: true },
  { says: 'both policies', measured: true, measuredBoot: true },
  { says: 'a named runtime policy', measured: false, measuredBoot: false, isNamed: true },
] as const

export default scenario({
  id: 'verifier.agent-policies',
  title:
    'The verifier returns which policies an agent has, and keeps a named one when it is deleted',
  requirements: [
    ...['VER-STATUS-HAS-POLICY', 'VER-STATUS-HAS-NO-POLICY', 'VER-STATUS-HAS-BOOT'],
    ...['VER-STATUS-HAS-NO-BOOT', 'VER-POLICY-OUTLIVES-AGENT', 'VER-DELETE-REMOVES'],
  ],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { verifier, machines, check } = context
    const checkFlag = (name: string, has: boolean, flag: unknown, says: string) =>
      check(`VER-STATUS-HAS-${has ? '' : 'NO-'}${name}`, `the flag of an agent with ${says}`)
        .of(flag)
        .is(has ? 1 : 0)
    const stored = await storeRuntimePolicy(context)
    for (const { says, measured, measuredBoot, ...rest } of KINDS) {
      const isNamed = 'isNamed' in rest
      const agent = await machines.softAgent({ until: 'activated', measured, measuredBoot })
      const members = isNamed ? { runtime_policy_name: stored.name, runtime_policy: '' } : {}
      await agent.enrol(members)
      const record = await verifier.readAgent(agent.id)
      checkFlag('POLICY', measured || isNamed, results(record, 'has_runtime_policy'), says)
      checkFlag('BOOT', measuredBoot, results(record, 'has_mb_refstate'), says)
      const deletion = await verifier.deleteAgent(agent.id)
      if (deletion.status === 202) continue // RFC 9110, 15.3.3: it has not ended
      check('VER-DELETE-REMOVES', `adding an agent with ${says} again`)
        .of(await agent.enrol(members))
        .matches('a success', isSuccess)
      await verifier.deleteAgent(agent.id)
    }
    const left = await verifier.call('read-policy', stored.call)
    check('VER-POLICY-OUTLIVES-AGENT', 'HTTP status of the named policy after its agent is deleted')
      .of(left.status)
      .is(200)
  },
})
