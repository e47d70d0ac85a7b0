import { results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.version.listed-answers',
  title: 'The registrar serves each version that GET /version lists',
  requirements: ['REG-VERSION-LISTED-ANSWERS'],
  role: 'registrar',
  since: '2.3',
  async run({ registrar, verifier, check }) {
    const listed = results(await registrar.get('/version'), 'supported_versions')
    check('REG-VERSION-LISTED-ANSWERS', 'supported_versions')
      .of(listed)
      .matches('a list that is not empty', (list) => Array.isArray(list) && list.length > 0)
    for (const version of Array.isArray(listed) ? listed : []) {
      const path = `/v${version}/agents/`
      const answer = await registrar.get(path, { as: verifier.admin })
      check('REG-VERSION-LISTED-ANSWERS', `GET ${path}`).of(answer.status).is(200)
    }
  },
})
