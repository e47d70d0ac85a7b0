import type { RecordedBoot } from '../platform/recorded-boot.ts'
import { replayBoot } from '../platform/replay.ts'
import type { Broker } from '../swtpm/broker.ts'
import { TpmError } from '../tpm/command.ts'
import { TPM_SU } from '../tpm/constants.ts'
import type { Tpm } from '../tpm/tpm.ts'
import { playScript, type Script } from './script.ts'
import type { Scripted } from './verbs.ts'

/**
 * How a machine started: new, resumed from its suspended state, or booted again because its power was cut while it
 * ran.
 */
export type Beginning = 'made' | 'woken' | 'booted'

/** Starts the TPM of a new machine and replays its boot. */
export async function bootFirst(tpm: Tpm, boot: RecordedBoot): Promise<Beginning> {
  await tpm.startup()
  await replayBoot(tpm, boot)
  return 'made'
}

/** Resumes a TPM; one that did not save its state can only be reset. */
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

/** The hardware of a machine, whose past can be replayed without effect on the hardware. */
interface Reach extends Hardware {
  /** Restores logs, firmware and faults. A machine that booted again then goes through that boot. */
  restore(machine: Scripted, past: Script, beginning: Beginning): Promise<void>
}

/** Wraps the hardware of a machine. */
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
    async restore(machine, past, beginning) {
      Object.assign(reached, { pcrs: false, power: false })
      await playScript(machine, past)
      reached.pcrs = true
      // Its TPM has been reset already.
      if (beginning === 'booted') await machine.reboot()
      reached.power = true
    },
  }
}
