import type { Machine } from '../../simulator/machine/machine.ts'
import {
  type ScriptedRegistrar,
  startRegistrar,
} from '../../simulator/services/scripted-registrar.ts'
import type { MachineFactory } from '../client/agents/machine-options.ts'
import { startAgentMachine } from './agent-machine.ts'
import type { HarnessAuthority } from './harness-authority.ts'

/** The host of an agent whose TPM is virtual, and its provider's registrar. */
export interface AgentHost {
  readonly machine: Machine
  readonly provider: ScriptedRegistrar
}

interface HostParts {
  readonly factory: MachineFactory
  readonly authority: HarnessAuthority
  readonly name: string
  readonly versions: readonly string[]
  /** Receives what ends the host. */
  readonly onClose: (step: () => Promise<void>) => void
}

export async function startHost(parts: HostParts): Promise<AgentHost> {
  const { factory, authority, name, versions, onClose } = parts
  const machine = await startAgentMachine({ ...factory, name, onCommand: () => undefined })
  onClose(() => machine.close())
  const { certificate, key } = authority.server
  const provider = await startRegistrar({
    endorsementKey: machine.ek.public,
    tls: { ca: authority.issuer.certificate, certificate, key },
    versions,
  })
  onClose(() => provider.close())
  return { machine, provider }
}

/** Values of the placeholders of `with_host`; empty without a host. */
export async function hostWords(host: AgentHost | undefined) {
  const endpoint = await host?.machine.serveTcp()
  return {
    host_tpm: endpoint?.tcti ?? '',
    'provider.host': '127.0.0.1',
    'provider.port': String(host?.provider.port ?? ''),
    'provider.tls_port': String(host?.provider.tlsPort ?? ''),
  }
}
