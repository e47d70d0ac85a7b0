import { scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.version.probed',
  title: 'The registrar answers the probe at the root of version 3.0',
  requirements: ['REG-V3-PROBE'],
  role: 'registrar',
  since: '3.0',
  async run({ registrar, check }) {
    const reply = await registrar.call('probe')
    check('REG-V3-PROBE', 'HTTP status of GET /v3.0/').of(reply.status).is(200)
  },
})
