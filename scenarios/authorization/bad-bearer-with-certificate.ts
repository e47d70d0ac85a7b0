import { REFUSED, scenario } from '../../conformance/scenario.ts'
import { bearer, withAuthorization } from './support/engine.ts'

export default scenario({
  id: 'authorization.bad-bearer-with-certificate',
  title: 'The verifier rejects a bad bearer token, even with a valid administrator certificate',
  requirements: ['AUT-NO-MTLS-FALLBACK'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'authorization.admin-certificate',
  async run({ verifier, machines, random, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const token = `${random.uuid()}.${Buffer.from(random.bytes(32)).toString('base64url')}`
    for (const [says, header] of [
      ['a token never issued', bearer(token)],
      ['the word Bearer alone', 'Bearer'],
    ] as const) {
      const credentials = withAuthorization(verifier.admin, header) // the defect: a bad header together with the certificate
      check('AUT-NO-MTLS-FALLBACK', `GET agent with ${says}`)
        .of(await verifier.readAgent(agent.id, credentials))
        .matches(...REFUSED)
    }
  },
})
