import { ANONYMOUS, isSuccess, REFUSED, scenario } from '../../conformance/scenario.ts'
import type { Credentials } from './support/engine.ts'

export default scenario({
  id: 'authorization.after-another-client',
  title:
    'The verifier refuses a request again, and after it allowed the same one to another client',
  requirements: [
    'AUT-ADMIN-NEEDS-CERTIFICATE',
    'AUT-ADMIN-READS',
    'AUT-AGENT-OWN-RESOURCE',
    'AUT-AGENT-READS-NO-OTHER',
    'AUT-AGENT-READS-OWN',
    'AUT-IDENTITY-EQUALS-RESOURCE',
    'AUT-STOP-AGENT-ADMIN',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, check }) {
    const [agent, other] = [await machines.softAgent(), await machines.softAgent()]
    const params = { agent_id: agent.id }
    const body = agent.capabilities()
    const negotiate = (as: Credentials) => verifier.call('negotiate', { as, params, body })
    const read = (as: Credentials) => verifier.attestation(agent.id, 'latest', as)
    const stop = (as: Credentials) => verifier.call('stop', { as, params })
    const own = agent.credentials
    const post = { what: 'capabilities POST', send: negotiate, allows: 'AUT-AGENT-OWN-RESOURCE' }
    const ownRead = { what: 'GET latest', send: read, allows: 'AUT-AGENT-READS-OWN' }
    const adminRead = { ...ownRead, allows: 'AUT-ADMIN-READS' }
    const put = { what: 'PUT stop', send: stop, allows: 'AUT-STOP-AGENT-ADMIN' }
    for (const [row, { what, send, allows }, allowed, refused] of [
      ['AUT-IDENTITY-EQUALS-RESOURCE', post, own, other.credentials],
      ['AUT-IDENTITY-EQUALS-RESOURCE', post, own, ANONYMOUS],
      ['AUT-AGENT-READS-NO-OTHER', ownRead, own, other.credentials],
      ['AUT-AGENT-READS-NO-OTHER', adminRead, verifier.admin, ANONYMOUS],
      ['AUT-ADMIN-NEEDS-CERTIFICATE', put, verifier.admin, ANONYMOUS],
      ['AUT-ADMIN-NEEDS-CERTIFICATE', put, verifier.admin, own],
    ] as const)
      for (const when of ['before', 'again', 'after it was allowed']) {
        const isAsked =
          when !== 'after it was allowed' ||
          check(allows, `whether the ${what} of ${allowed.name} succeeds`)
            .of(isSuccess(await send(allowed)))
            .is(true)
        if (isAsked)
          check(row, `${what} of ${refused.name}, ${when}`)
            .of(await send(refused)) // the defect
            .matches(...REFUSED)
      }
  },
})
