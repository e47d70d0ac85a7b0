import { scenario } from '../../conformance/scenario.ts'
import { tenantOperations } from './support/tenant-operations.ts'
import { bootPolicy, holdsBootPolicy } from './support/tenant-policies.ts'

/** A name that has to be encoded in a path. */
const NAME = 'a policy?'

/** Commands by the request that carries each out; `ID` stands for the agent. */
const REQUESTS = {
  cvlist: 'GET /agents/',
  reglist: 'GET /agents/',
  bulkinfo: 'GET /agents/',
  status: 'GET /agents/ID',
  cvstatus: 'GET /agents/ID',
  regstatus: 'GET /agents/ID',
  regdelete: 'DELETE /agents/ID',
  addruntimepolicy: `POST /allowlists/${NAME}`,
  showruntimepolicy: `GET /allowlists/${NAME}`,
  listruntimepolicies: 'GET /allowlists/',
  deleteruntimepolicy: `DELETE /allowlists/${NAME}`,
  addmbpolicy: `POST /mbpolicies/${NAME}`,
  updatembpolicy: `PUT /mbpolicies/${NAME}`,
  showmbpolicy: `GET /mbpolicies/${NAME}`,
  deletembpolicy: `DELETE /mbpolicies/${NAME}`,
}

export default scenario({
  id: 'tenant.queried',
  title: 'A tenant lists agents and policies, shows their records, and manages boot policies',
  requirements: ['TEN-MANAGES-AGENTS', 'TEN-MANAGES-POLICIES', 'TEN-EXIT-DONE'],
  role: 'tenant',
  seconds: 10,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  async run({ tenants, machines, check }) {
    const stage = await tenants.stage()
    await stage.run('-c', 'add', '-u', stage.agentId)
    const policies = {
      mbpolicy: ['--mb-policy-name', NAME, '--mb-policy', stage.file('boot.json', bootPolicy)],
      runtimepolicy: [
        ...['--runtime-policy-name', NAME],
        ...['--runtime-policy', stage.file('policy.json', machines.policyOfBoot())],
      ],
    }
    const wordsFor = (command: string) => {
      const [, verb = '', kind] = /^(.*)(mbpolicy|runtimepolicy)$/.exec(command) ?? []
      if (kind === 'mbpolicy' || kind === 'runtimepolicy')
        return policies[kind].slice(0, /add|update/.test(verb) ? 4 : 2)
      return /status$|delete$/.test(command) ? ['-u', stage.agentId] : []
    }
    for (const [command, request] of Object.entries(REQUESTS)) {
      const before = stage.requests.length
      const { code } = await stage.run('-c', command, ...wordsFor(command))
      const row = command.includes('polic') ? 'TEN-MANAGES-POLICIES' : 'TEN-MANAGES-AGENTS'
      const peer = command.startsWith('reg') ? 'registrar' : 'verifier'
      const requests = stage.requests.slice(before).filter((one) => one.peer === peer)
      const { order } = tenantOperations({ ...stage, requests })
      const isRight = check(row, `requests of ${command} to the ${peer}`)
        // The document deletes a runtime policy at `allowlist`, and has every other route of them at `allowlists`.
        .of(order.map((one) => one.replace(/\/$/, '').replace('/allowlist/', '/allowlists/')))
        .matches(request, (all) => {
          return all.includes(request.replace('ID', stage.agentId).replace(/\/$/, ''))
        })
      if (/^(add|update)mb/.test(command))
        check(row, `whether the policy of ${command} is in its request`)
          .of(requests.some((one) => holdsBootPolicy(one.request.json)))
          .is(true)
      // A command that asks for something else need not succeed.
      if (isRight) check('TEN-EXIT-DONE', `exit code of ${command}`).of(code).is(0)
    }
  },
})
