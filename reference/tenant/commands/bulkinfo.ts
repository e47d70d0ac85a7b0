import { nonsense } from '../peers/server.ts'
import { presentBulk } from '../present-agent.ts'
import { isRecord } from '../read-members.ts'
import { verifierQuery } from '../verifier-query.ts'
import type { Run } from './command.ts'
import { withoutKey } from './cvstatus.ts'

/** GET …/agents?bulk=True of the verifier, a route of upstream's: every agent with its record. */
export const bulkinfo: Run = async ({ verifier }, options) => {
  const { results } = await verifier.ask({
    path: `/agents${verifierQuery(options, { bulk: 'True' })}`,
    ...{
      verb: 'list',
      what: 'list of agents',
      ifMissing: 'ask for one agent: assay tenant cvstatus',
    },
  })
  const entries = Object.entries(results)
  const agents = Object.fromEntries(
    entries.flatMap(([id, record]) => (isRecord(record) ? [[id, withoutKey(record)]] : [])),
  )
  if (Object.keys(agents).length !== entries.length)
    throw nonsense(verifier.peer, 'gives an agent without a record')
  return { result: { agents }, text: presentBulk(agents) }
}
