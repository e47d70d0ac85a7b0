import type { RecordedBoot } from '../platform/recorded-boot.ts'
import { replayBoot } from '../platform/replay.ts'
import type { Broker } from '../swtpm/broker.ts'
import { TpmError } from '../tpm/command.ts'
import { TPM_SU } from '../tpm/constants.ts'
import type { Tpm } from '../tpm/tpm.ts'
import { playScript, type Script } from './script.ts'
import type { Scripted } from './verbs.ts'

/**
 * How a machine came to run: it was made, it woke as it had gone to sleep, or it booted anew, as its power was cut while it
 * ran.
 */
export type Beginning = 'made' | 'woken' | 'booted'

/** Starts the TPM of a new machine, and boots. */
export async function bootFirst(tpm: Tpm, boot: RecordedBoot): Promise<Beginning> {
  await tpm.startup()
  await replayBoot(tpm, boot)
  return 'made'
}

/** Resumes a TPM; one that was not told to save its state can only be reset. */
export async function wake(tpm: Pick<Tpm, 'startup'>): Promise<Beginning> {
  try {
    await tpm.startup(TPM_SU.STATE)
    return 'woken'
  } catch (error) {
    if (!(error instanceof TpmError)) throw error
    await tpm.startup(TPM_SU.CLEAR)
    return 'booted'
  }
}

interface Hardware {
  readonly tpm: Pick<Tpm, 'pcrExtend'>
  readonly broker: Pick<Broker, 'powerCycle'>
}

/** The hardware of a machine, and who tells the machine its past without that anything reaches it. */
export interface Reach extends Hardware {
  /** Logs, firmware and lies become what they were; a machine that booted anew then goes through that boot. */
  relive(machine: Scripted, past: Script, beginning: Beginning): Promise<void>
}

/** Stands between a machine and its hardware. */
export function reachTo({ tpm, broker }: Hardware): Reach {
  const reached = { pcrs: true, power: true }
  return {
    tpm: {
      async pcrExtend(pcr, digests) {
        if (reached.pcrs) await tpm.pcrExtend(pcr, digests)
      },
    },
    broker: {
      async powerCycle(how) {
        if (reached.power) await broker.powerCycle(how)
      },
    },
    async relive(machine, past, beginning) {
      Object.assign(reached, { pcrs: false, power: false })
      await playScript(machine, past)
      reached.pcrs = true
      // Its TPM was reset already.
      if (beginning === 'booted') await machine.reboot()
      reached.power = true
    },
  }
}
