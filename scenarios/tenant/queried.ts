import { scenario } from '../../conformance/scenario.ts'
import { tenantOperations } from './support/tenant-operations.ts'

const NAME = 'a-boot-policy'

/** Commands by the request that carries each out; `ID` stands for the agent. */
const REQUESTS = {
  cvlist: 'GET /agents/',
  reglist: 'GET /agents/',
  cvstatus: 'GET /agents/ID',
  regstatus: 'GET /agents/ID',
  listruntimepolicies: 'GET /allowlists/',
  addmbpolicy: `POST /mbpolicies/${NAME}`,
  showmbpolicy: `GET /mbpolicies/${NAME}`,
  deletembpolicy: `DELETE /mbpolicies/${NAME}`,
}

export default scenario({
  id: 'tenant.queried',
  title: 'A tenant lists agents and policies, shows their records, and manages boot policies',
  requirements: ['TEN-MANAGES-AGENTS', 'TEN-MANAGES-POLICIES', 'TEN-EXIT-DONE'],
  role: 'tenant',
  seconds: 6,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  async run({ tenants, check }) {
    const stage = await tenants.stage()
    await stage.run('-c', 'add', '-u', stage.agentId)
    const boot = ['--mb-policy-name', NAME, '--mb-policy', stage.file('boot.json', '{}')]
    const wordsFor = (command: string) => {
      if (command === 'addmbpolicy') return boot
      if (command.includes('mbpolicy')) return boot.slice(0, 2)
      return command.endsWith('status') ? ['-u', stage.agentId] : []
    }
    for (const [command, request] of Object.entries(REQUESTS)) {
      const before = stage.heard.length
      const { code } = await stage.run('-c', command, ...wordsFor(command))
      const row = command.includes('polic') ? 'TEN-MANAGES-POLICIES' : 'TEN-MANAGES-AGENTS'
      const peer = command.startsWith('reg') ? 'registrar' : 'verifier'
      const heard = stage.heard.slice(before).filter((one) => one.peer === peer)
      const { order } = tenantOperations({ ...stage, heard })
      check(row, `requests of ${command} to the ${peer}`)
        .of(order.map((one) => one.replace(/\/?(\?.*)?$/, '')))
        .matches(request, (all) => {
          return all.includes(request.replace('ID', stage.agentId).replace(/\/$/, ''))
        })
      check('TEN-EXIT-DONE', `exit code of ${command}`).of(code).is(0)
    }
  },
})
