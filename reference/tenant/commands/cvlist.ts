import { nonsense } from '../peers/server.ts'
import { presentList } from '../present.ts'
import { idsIn } from '../read-members.ts'
import { verifierQuery } from '../verifier-query.ts'
import type { Run } from './command.ts'

/** GET …/agents of the verifier, a route of upstream's: those of one verifier with `--cvid`. */
export const cvlist: Run = async ({ verifier }, options) => {
  const { results } = await verifier.ask({
    path: `/agents${verifierQuery(options)}`,
    ...{ verb: 'list', what: 'list of agents', ifMissing: NO_LIST },
  })
  const agents = idsIn(results)
  if (agents === undefined) throw nonsense(verifier.peer, 'lists no agents under uuids')
  return { result: { agents }, text: presentList('agents', agents) }
}

/** The document has no such route. */
const NO_LIST = 'ask for one agent: assay tenant cvstatus --uuid ID'
