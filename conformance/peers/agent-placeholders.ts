import type { Machine } from '../../simulator/machine/machine.ts'
import type { ScriptedRegistrar } from '../../simulator/services/scripted-registrar.ts'
import type { PullAgentWord, PushAgentWord } from '../target/subject-placeholders.ts'
import type { HarnessAuthority } from './harness-authority.ts'
import type { LogFiles } from './log-files.ts'

/** The environment of every agent. */
export interface FoundByAgent {
  readonly id: string
  readonly directory: string
  readonly machine: Machine
  readonly registrar: ScriptedRegistrar
  readonly logs: LogFiles
  readonly authority: HarnessAuthority
}

/** Values of the target file placeholders that both kinds of agents have. */
export async function agentWords(
  found: FoundByAgent,
): Promise<Readonly<Record<PullAgentWord & PushAgentWord, string>>> {
  const { id, directory, machine, registrar, logs, authority } = found
  const endpoint = await machine.serveTcp()
  return {
    'agent.id': id,
    'agent.dir': directory,
    tpm: endpoint.tcti,
    'tpm.host': '127.0.0.1',
    'tpm.port': String(endpoint.port),
    ima_log: logs.ima,
    boot_log: logs.boot,
    'registrar.host': '127.0.0.1',
    'registrar.port': String(registrar.port),
    'registrar.tls_port': String(registrar.tlsPort),
    client_ca: authority.files.ca,
  }
}
