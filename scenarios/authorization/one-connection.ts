import { ANONYMOUS, isSuccess, REFUSED, scenario } from '../../conformance/scenario.ts'
import { bearer, type Credentials, onOneConnection, withAuthorization } from './support/engine.ts'

export default scenario({
  id: 'authorization.one-connection',
  title: 'The verifier authorizes each request of a connection by itself',
  requirements: [
    'AUT-NO-MTLS-FALLBACK',
    'AUT-ADMIN-READS',
    'AUT-AGENT-OWN-RESOURCE',
    'AUT-IDENTITY-EQUALS-RESOURCE',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, random, check }) {
    const [agent, other] = [await machines.softAgent(), await machines.softAgent()]
    const params = { agent_id: agent.id }
    const body = agent.capabilities()
    await agent.negotiate()
    const read = (as: Credentials) => verifier.attestation(agent.id, 'latest', as)
    const negotiate = (as: Credentials) => verifier.call('negotiate', { as, params, body })
    const admin = onOneConnection(verifier.admin)
    const token = bearer(`${random.uuid()}.${Buffer.from(random.bytes(32)).toString('base64url')}`)
    for (const when of ['first', 'again']) {
      check('AUT-ADMIN-READS', `latest attestation for an administrator, ${when}`)
        .of(await read(admin))
        .matches('a success', isSuccess)
      check('AUT-NO-MTLS-FALLBACK', `latest attestation for a bad token, ${when}`)
        .of(await read(withAuthorization(admin, token))) // the defect
        .matches(...REFUSED)
      check('AUT-AGENT-OWN-RESOURCE', `HTTP status of the capabilities POST, ${when}`)
        .of((await negotiate(onOneConnection(agent.credentials))).status)
        .is(201)
      for (const [who, as] of [
        ['an unknown sender', onOneConnection(ANONYMOUS)],
        ['another agent', onOneConnection(other.credentials)],
      ] as const)
        check('AUT-IDENTITY-EQUALS-RESOURCE', `capabilities POST of ${who}, ${when}`)
          .of(await negotiate(as)) // the defect
          .matches(...REFUSED)
    }
  },
})
