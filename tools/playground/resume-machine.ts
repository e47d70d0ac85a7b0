import { SetupFault } from '../../conformance/input/fault.ts'
import { SwtpmError } from '../../simulator/swtpm/errors.ts'
import { TpmError } from '../../simulator/tpm/command.ts'
import { type Contact, openContact } from './contact.ts'
import { type KeptMachine, tpmStateOf } from './kept-playground.ts'
import { type MachineParts, openMachine, type PlaygroundMachine } from './playground-machine.ts'
import type { Servers } from './servers.ts'
import { SILENT, statusOf } from './view/machine-status.ts'

interface ResumeParts extends MachineParts {
  readonly servers: Servers
  readonly contacts: ReadonlyMap<string, Contact>
}

/** Resumes a machine without its agent. Returns remarks for the user, a clause each. */
export async function resumeMachine(
  parts: ResumeParts,
  kept: KeptMachine,
): Promise<{ readonly machine: PlaygroundMachine; readonly remarks: readonly string[] }> {
  const machine = await openKept(parts, kept)
  const { name, agent, network } = kept
  const remarks: string[] = []
  if (machine.machine.beginning === 'booted')
    remarks.push(
      'it lost power while it ran: it has booted again, and the clock of its TPM may have gone back',
    )
  if (network === 'cut') {
    machine.cut()
    remarks.push(`its network stays cut until the command mend ${name}`)
  }
  if (agent === 'stopped') remarks.push(`its agent stays stopped until the command start ${name}`)
  if (await needsReactivation(machine, kept, parts.servers)) {
    await parts.servers.reactivate(machine.agentId)
    remarks.push('reactivated, because the verifier fails a push agent without evidence')
  }
  return { machine, remarks }
}

async function openKept(parts: ResumeParts, kept: KeptMachine): Promise<PlaygroundMachine> {
  const { name, kind, agent_id: agentId, past } = kept
  const contact = parts.contacts.get(name) ?? (await openContact(kept.contact_port))
  try {
    return await openMachine(parts, { name, kind, agentId, slept: { contact, past } })
  } catch (cause) {
    if (!(cause instanceof SwtpmError || cause instanceof TpmError)) throw cause
    const state = tpmStateOf(parts.run.path, name)
    throw new SetupFault(`cannot resume ${name} with the TPM state in ${state}: ${cause.message}`, {
      next: 'restore it from a backup, or pass another directory',
      cause,
    })
  }
}

/**
 * A verifier fails a push agent that sends no evidence in time, so it fails every agent of a playground that was away.
 * Such an agent is reactivated; an agent with failed evidence is not.
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
