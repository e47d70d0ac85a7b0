import { jsonIn, scenario } from '../../conformance/scenario.ts'
import { checkUpdate } from './support/check-update.ts'
import { tenantOperations } from './support/tenant-operations.ts'
import {
  bootPolicy,
  digestsOf,
  isBootPolicy,
  pcrsOfMask,
  policyText,
} from './support/tenant-policies.ts'

/** A name that has to be encoded in a path. */
const NAME = 'of the harness? #1, 50%'
const PCR = 22
/** Another PCR of the policy, with several digests. */
const OTHER_PCR = 23
const OTHER_DIGESTS = ['01'.repeat(32), 'ab'.repeat(32)]
/** It has no digest in the policy. */
const ONLY_IN_MASK = 20
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export default scenario({
  id: 'tenant.managed',
  title:
    'A tenant updates, reactivates and deletes agents, stores policies, and adds agents with policies and their names',
  requirements: [
    ...['TEN-MANAGES-AGENTS', 'TEN-MANAGES-POLICIES', 'TEN-POLICY-NAMES'],
    ...['TEN-POLICY-BASE64', 'TEN-POLICY-MASK', 'TEN-POLICY-BOOT', 'TEN-ADDS-MEMBERS'],
  ],
  role: 'tenant',
  seconds: 5,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ tenants, machines, check }) {
    const stage = await tenants.stage()
    const text = machines.policyOfBoot()
    const file = ['--runtime-policy', stage.file('policy.json', text)]
    const by = ['-u', stage.agentId]
    const name = ['--runtime-policy-name', NAME]
    const stored = await stage.run('-c', 'addruntimepolicy', ...name, ...file)
    check('TEN-MANAGES-POLICIES', 'exit code of addruntimepolicy').of(stored.code).is(0)
    const [posted] = tenantOperations(stage).policies
    check('TEN-MANAGES-POLICIES', 'name of the policy that was posted').of(posted?.name).is(NAME)
    check('TEN-POLICY-BASE64', 'the policy')
      .of(jsonIn(policyText(posted?.body['runtime_policy'])))
      .is(jsonIn(text))

    await stage.run('-c', 'add', ...by, ...name)
    await stage.run('-c', 'update', ...by, ...name)
    await stage.run('-c', 'reactivate', ...by)
    await stage.run('-c', 'delete', ...by)
    const { added, order } = tenantOperations(stage)
    check('TEN-POLICY-NAMES', 'name alone').of(added[0]?.['runtime_policy_name']).is(NAME)
    checkUpdate(check, stage)
    const other = await tenants.stage()
    const allowed = { [PCR]: ['00'.repeat(32)], [OTHER_PCR]: OTHER_DIGESTS }
    const digests = ['--tpm_policy', JSON.stringify(allowed)]
    const boot = ['--mb-policy', other.file('boot.json', bootPolicy)]
    await other.run('-c', 'add', '-u', other.agentId, ...name, ...file, ...digests, ...boot)
    const [both] = tenantOperations(other).added
    check('TEN-POLICY-NAMES', 'name with a policy').of(both?.['runtime_policy_name']).is(NAME)
    check('TEN-POLICY-NAMES', 'the policy with its name')
      .of(jsonIn(policyText(both?.['runtime_policy'])))
      .is(jsonIn(text))
    check('TEN-POLICY-MASK', `PCRs in the mask of a policy for PCR ${PCR}`)
      .of(pcrsOfMask(both?.['tpm_policy']))
      .matches(`${PCR} among them, and none above 23`, (pcrs) => {
        return pcrs.includes(PCR) && pcrs.every((pcr) => pcr < 24)
      })
    check('TEN-ADDS-MEMBERS', `digests of tpm_policy for PCRs ${PCR} and ${OTHER_PCR}`)
      .of([PCR, OTHER_PCR].map((pcr) => digestsOf(both?.['tpm_policy'], pcr)))
      .is([allowed[PCR] ?? [], OTHER_DIGESTS])
    const mask = `0x${((1 << PCR) | (1 << ONLY_IN_MASK)).toString(16)}`
    const policy = JSON.stringify({ ...allowed, mask })
    for (const [command, beside] of [
      ['add', []],
      ['update', file],
    ] as const)
      await other.run('-c', command, '-u', other.agentId, '--tpm_policy', policy, ...beside)
    // A tenant may take no mask, but not lose what the given one names.
    const [, ...given] = tenantOperations(other).added
    const masks = given.map((sent) => pcrsOfMask(sent['tpm_policy']))
    check('TEN-POLICY-MASK', 'PCRs of a mask, given to add and to update, that one of them loses')
      .of([ONLY_IN_MASK, PCR].filter((pcr) => masks.some((pcrs) => !pcrs.includes(pcr))))
      .is([])
    check('TEN-POLICY-BOOT', 'the boot policy')
      .of({ mb_refstate: both?.['mb_refstate'], mb_policy: both?.['mb_policy'] })
      .meets({
        mb_refstate: (sent) => isBootPolicy(sent.mb_refstate),
        mb_policy: (sent) => isBootPolicy(sent.mb_policy),
      })
    // Several, as a random V may have none of the characters in which two alphabets differ.
    const bodies = [stage, other].flatMap((one) => tenantOperations(one).added)
    check('TEN-ADDS-MEMBERS', `V keys of ${bodies.length} additions that are no base64`)
      .of(bodies.filter(({ v = '' }) => !BASE64.test(String(v))).length)
      .is(0)
    const agent = order.filter((one) => /^(POST|DELETE) \/agents\//.test(one))
    check('TEN-MANAGES-AGENTS', 'changes of the agent by add, update and delete')
      .of(agent)
      .is(['POST', 'DELETE', 'POST', 'DELETE'].map((verb) => `${verb} /agents/${stage.agentId}`))
    check('TEN-MANAGES-AGENTS', 'a reactivation')
      .of(order.includes(`PUT /agents/${stage.agentId}/reactivate`))
      .is(true)
  },
})
