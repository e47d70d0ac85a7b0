import { ANONYMOUS, isSuccess, REFUSED, type Reply, scenario } from '../../conformance/scenario.ts'
import type { Credentials } from './support/engine.ts'

export default scenario({
  id: 'authorization.after-another-client',
  title:
    'The verifier refuses a request again, and after it allowed the same one to another client',
  requirements: [
    'AUT-ADMIN-NEEDS-CERTIFICATE',
    'AUT-AGENT-OWN-RESOURCE',
    'AUT-AGENT-READS-NO-OTHER',
    'AUT-IDENTITY-EQUALS-RESOURCE',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, check }) {
    const [agent, other] = [await machines.softAgent(), await machines.softAgent()]
    const params = { agent_id: agent.id }
    const body = agent.capabilities()
    const negotiate = (as: Credentials) => verifier.call('negotiate', { as, params, body })
    const list = (as: Credentials) => verifier.call('list-attestations', { as, params })
    const stop = (as: Credentials) => verifier.call('stop', { as, params })
    const own = agent.credentials
    const rows: readonly [string, string, (as: Credentials) => Promise<Reply>, ...Credentials[]][] =
      [
        ['AUT-IDENTITY-EQUALS-RESOURCE', 'capabilities POST', negotiate, own, other.credentials],
        ['AUT-IDENTITY-EQUALS-RESOURCE', 'capabilities POST', negotiate, own, ANONYMOUS],
        ['AUT-AGENT-READS-NO-OTHER', 'list of the attestations', list, own, other.credentials],
        ['AUT-AGENT-READS-NO-OTHER', 'list of the attestations', list, verifier.admin, ANONYMOUS],
        ['AUT-ADMIN-NEEDS-CERTIFICATE', 'PUT stop', stop, verifier.admin, ANONYMOUS],
        ['AUT-ADMIN-NEEDS-CERTIFICATE', 'PUT stop', stop, verifier.admin, own],
      ]
    for (const [row, what, send, allowed = ANONYMOUS, refused = ANONYMOUS] of rows)
      for (const when of ['before', 'again', 'after it was allowed']) {
        if (when === 'after it was allowed')
          check('AUT-AGENT-OWN-RESOURCE', `whether the ${what} of ${allowed.name} succeeds`)
            .of(isSuccess(await send(allowed)))
            .is(true)
        check(row, `${what} of ${refused.name}, ${when}`)
          .of(await send(refused)) // the defect
          .matches(...REFUSED)
      }
  },
})
