import { type Context, listOf, results } from '../../../conformance/scenario.ts'

/** Lists before it have another shape in the legacy listing. */
const FIRST_OF_SHAPE = '2.1'

/** Checks that the registrar answers under each version that GET /version lists, and lists the agent under each. */
export async function checkListed(
  { registrar, verifier, check }: Pick<Context, 'registrar' | 'verifier' | 'check'>,
  agentId?: string,
): Promise<void> {
  const listed = results(await registrar.get('/version'), 'supported_versions')
  check('REG-VERSION-LISTED-ANSWERS', 'supported_versions')
    .of(listed)
    .matches('a list that is not empty', (list) => Array.isArray(list) && list.length > 0)
  for (const version of Array.isArray(listed) ? listed : []) {
    const path = `/v${version}/agents/`
    const answer = await registrar.get(path, { as: verifier.admin })
    check('REG-VERSION-LISTED-ANSWERS', `GET ${path}`).of(answer.status).is(200)
    if (agentId === undefined || answer.status !== 200 || version < FIRST_OF_SHAPE) continue
    check('REG-LIST-UUIDS', `whether the agent is in the list of ${version}`)
      .of(listOf(results(answer, 'uuids'))?.includes(agentId))
      .is(true)
  }
}
