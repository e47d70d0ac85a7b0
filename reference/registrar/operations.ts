import type { Handler } from '../api/call.ts'
import { underOlderNames } from '../api/older-names.ts'
import { probeVersion, readVersion } from '../api/read-version.ts'
import type { RegistrarOperation } from '../api/routes/registrar.ts'
import type { ApiVersion } from '../api/versions.ts'
import { OLDER_REGISTRATION_NAMES } from './older-registration-names.ts'
import { activateAgent } from './operations/activate-agent.ts'
import { activateVirtualAgent } from './operations/activate-virtual-agent.ts'
import { deleteAgent, listAgents, readAgent } from './operations/agents.ts'
import { registerAgent } from './operations/register-agent.ts'
import type { RegistrarParts } from './registrar-parts.ts'

/** The registrar's half of the route table: one handler per operation. */
export function registrarOperations(
  parts: RegistrarParts,
  served: readonly ApiVersion[],
): Readonly<Record<RegistrarOperation, Handler>> {
  return {
    'read-version': readVersion(served),
    'probe-version': probeVersion,
    'list-agents': listAgents(parts),
    'read-agent': readAgent(parts),
    'delete-agent': deleteAgent(parts),
    'register-agent': underOlderNames(OLDER_REGISTRATION_NAMES, registerAgent(parts)),
    'activate-agent': activateAgent(parts),
    'activate-virtual-agent': activateVirtualAgent(parts),
  }
}
