import { SetupFault } from '../../conformance/input/fault.ts'
import { SwtpmError } from '../../simulator/swtpm/errors.ts'
import { TpmError } from '../../simulator/tpm/command.ts'
import { type Contact, openContact } from './contact.ts'
import { type KeptMachine, tpmStateOf } from './kept-playground.ts'
import { type MachineParts, openMachine, type PlaygroundMachine } from './playground-machine.ts'
import type { Servers } from './servers.ts'
import { SILENT, statusOf } from './view/machine-status.ts'

export interface ResumeParts extends MachineParts {
  readonly servers: Servers
  readonly contacts: ReadonlyMap<string, Contact>
}

/** Wakes a machine; its agent is not started yet. Gives what a person has to know of it, a clause each. */
export async function resumeMachine(
  parts: ResumeParts,
  kept: KeptMachine,
): Promise<{ readonly machine: PlaygroundMachine; readonly remarks: readonly string[] }> {
  const machine = await wake(parts, kept)
  const { name, agent, network } = kept
  const remarks: string[] = []
  if (machine.machine.beginning === 'booted')
    remarks.push(
      'its power was cut while it ran: it has booted anew, and the clock of its TPM may have gone back',
    )
  if (network === 'cut') {
    machine.cut()
    remarks.push(`its network stays cut until you type mend ${name}`)
  }
  if (agent === 'stopped') remarks.push(`its agent stays stopped until you type start ${name}`)
  if (await needsReactivation(machine, kept, parts.servers)) {
    await parts.servers.reactivate(machine.agentId)
    remarks.push('reactivated, as a verifier gives up who is silent for as long as it was')
  }
  return { machine, remarks }
}

async function wake(parts: ResumeParts, kept: KeptMachine): Promise<PlaygroundMachine> {
  const { name, kind, agent_id: agentId, past } = kept
  const contact = parts.contacts.get(name) ?? (await openContact(kept.contact_port))
  try {
    return await openMachine(parts, { name, kind, agentId, slept: { contact, past } })
  } catch (cause) {
    if (!(cause instanceof SwtpmError || cause instanceof TpmError)) throw cause
    const state = tpmStateOf(parts.run.path, name)
    throw new SetupFault(
      `${name} does not wake, as its TPM in ${state} does not: ${cause.message}`,
      {
        next: 'restore it from a copy, or name another directory',
        cause,
      },
    )
  }
}

/**
 * A verifier gives up a push agent that is silent: it has by now, or does before its first evidence. One that was silent
 * only as the playground was away is not to blame; what was found in evidence of it stays.
 */
async function needsReactivation(
  machine: PlaygroundMachine,
  { kind, verdict, agent, network }: KeptMachine,
  servers: Servers,
): Promise<boolean> {
  if (kind !== 'push' || verdict === 'FAIL' || agent === 'stopped' || network === 'cut')
    return false
  const now = await statusOf(machine, servers)
  return now.verdict !== 'FAIL' || now.why === SILENT
}
