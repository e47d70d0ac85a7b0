import { nonsense } from '../peers/server.ts'
import { presentList } from '../present.ts'
import { idsIn } from '../read-members.ts'
import type { Run } from './command.ts'

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
