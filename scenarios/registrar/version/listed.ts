import { results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.version.listed',
  title: 'The registrar lists its supported versions at GET /version',
  requirements: [
    'REG-VERSION-STATUS',
    'REG-VERSION-CURRENT',
    'REG-VERSION-CURRENT-AMONG',
    'REG-VERSION-SUPPORTED',
  ],
  role: 'registrar',
  since: '2.3',
  async run({ registrar, version, check }) {
    const reply = await registrar.get('/version')
    check('REG-VERSION-STATUS', 'HTTP status').of(reply.status).is(200)
    check('REG-VERSION-CURRENT', 'current_version')
      .of(results(reply, 'current_version'))
      .matches('a text', (text) => typeof text === 'string' && text !== '')
    check('REG-VERSION-CURRENT-AMONG', 'whether current_version is one of supported_versions')
      .of(results(reply, 'supported_versions'))
      .matches(
        'a list with it',
        (list) => Array.isArray(list) && list.includes(results(reply, 'current_version')),
      )
    check('REG-VERSION-SUPPORTED', 'supported_versions')
      .of(results(reply, 'supported_versions'))
      .matches(
        `a list with ${version} in it`,
        (list) => Array.isArray(list) && list.includes(version),
      )
  },
})
