import type { Run } from '../commands.ts'
import { presentList } from '../present.ts'
import { idsIn } from '../read-members.ts'
import { nonsense } from '../server.ts'

/** GET …/agents/ of the registrar. */
export const reglist: Run = async ({ registrar }) => {
  const { results } = await registrar.ask({
    path: '/agents/',
    ...{ verb: 'list', what: 'list of agents', ifMissing: 'make sure that it is a registrar' },
  })
  const agents = idsIn(results)
  if (agents === undefined) throw nonsense(registrar.peer, 'lists no agents under uuids')
  return { result: { agents }, text: presentList('agents', agents) }
}
