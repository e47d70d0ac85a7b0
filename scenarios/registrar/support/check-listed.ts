import { type Context, results } from '../../../conformance/scenario.ts'

/** Checks that the registrar answers under each version that GET /version lists. */
export async function checkListed({
  registrar,
  verifier,
  check,
}: Pick<Context, 'registrar' | 'verifier' | 'check'>): Promise<void> {
  const listed = results(await registrar.get('/version'), 'supported_versions')
  check('REG-VERSION-LISTED-ANSWERS', 'supported_versions')
    .of(listed)
    .matches('a list that is not empty', (list) => Array.isArray(list) && list.length > 0)
  for (const version of Array.isArray(listed) ? listed : []) {
    const path = `/v${version}/agents/`
    const answer = await registrar.get(path, { as: verifier.admin })
    check('REG-VERSION-LISTED-ANSWERS', `GET ${path}`).of(answer.status).is(200)
  }
}
