import { scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'http.without-length',
  title: 'The verifier serves a PUT that has no body and states no length',
  requirements: ['VER-STOP-200'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'http.served.verifier',
  async run({ verifier, machines, version, check }) {
    const { id } = await machines.lightAgent({ until: 'enrolled' })
    const head = [`PUT /v${version}/agents/${id}/stop HTTP/1.1`, 'host: assay', 'connection: close']
    const { first } = await verifier.client.raw({
      url: verifier.url,
      credentials: verifier.admin,
      bytes: [`${head.join('\r\n')}\r\n\r\n`],
    })
    // RFC 9110, 15.5.12 permits a server to demand a length.
    check('VER-STOP-200', 'HTTP status of PUT stop').of(first.status).isOneOf([200, 411])
  },
})
