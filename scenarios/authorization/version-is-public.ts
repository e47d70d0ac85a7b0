import { ANONYMOUS, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'authorization.version-is-public',
  title: 'The verifier answers a version request without credentials',
  requirements: ['AUT-PUBLIC-VERSION'],
  role: 'verifier',
  since: '2.5',
  async run({ verifier, check, observe }) {
    const reply = await verifier.get('/version', { as: ANONYMOUS })
    observe('VERSIONS', 'HTTP status of GET /version at the verifier', reply.status)
    const other = await verifier.get('/versions', { as: ANONYMOUS })
    observe('VERSIONS', 'HTTP status of GET /versions at the verifier', other.status)
    check('AUT-PUBLIC-VERSION', 'whether one of the two requires credentials')
      .of([reply.status, other.status].every((status) => status === 401 || status === 403))
      .is(false)
  },
})
