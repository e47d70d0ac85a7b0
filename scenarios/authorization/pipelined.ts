import { isSuccess, REFUSED, type Reply, scenario } from '../../conformance/scenario.ts'
import { bearer } from './support/engine.ts'

export default scenario({
  id: 'authorization.pipelined',
  title: 'The verifier authorizes each of two requests that arrive in one piece by itself',
  requirements: ['AUT-ADMIN-READS', 'AUT-NO-MTLS-FALLBACK'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'authorization.admin-certificate',
  async run({ verifier, machines, version, random, check }) {
    const agent = await machines.lightAgent({ until: 'enrolled' })
    const head = [`GET /v${version}/agents/${agent.id} HTTP/1.1`, 'host: assay']
    const token = bearer(`${random.uuid()}.${Buffer.from(random.bytes(32)).toString('base64url')}`)
    const plain = [...head, '', ''].join('\r\n')
    const bad = [...head, `authorization: ${token}`, '', ''].join('\r\n') // the defect
    const send = async (pair: string) =>
      (
        await verifier.client.raw({
          ...{ url: verifier.url, credentials: verifier.admin },
          ...{ bytes: [pair], awaits: 2 },
        })
      ).replies
    const checkRead = (says: string, reply: Reply | undefined) =>
      check('AUT-ADMIN-READS', `GET agent by an administrator, ${says}`)
        .of(reply)
        .matches('a success', (seen) => seen !== undefined && isSuccess(seen))
    const checkRefused = (says: string, reply: Reply) =>
      check('AUT-NO-MTLS-FALLBACK', `GET agent with a bad token, ${says}`)
        .of(reply)
        .matches(...REFUSED)
    const [first, second] = await send(plain + bad)
    checkRead('before another request', first)
    // A server may close a connection after an answer (RFC 9112, 9.6).
    if (second !== undefined) checkRefused('after another request', second)
    const [refused, read] = await send(bad + plain)
    if (refused !== undefined) checkRefused('before another request', refused)
    if (read !== undefined) checkRead('after another request', read)
  },
})
