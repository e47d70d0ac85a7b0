import { join } from 'node:path'
import { type SwtpmOptions, type SwtpmProcess, startSwtpm, type TpmState } from './process.ts'

/** What every process of a pool is started with. */
export interface PoolOptions extends Pick<SwtpmOptions, 'binary' | 'environment' | 'onProcess'> {
  /** An existing directory with a short path. */
  readonly directory: string
}

/** swtpm processes that serve one machine after another, since to start one costs more than most machines do with it. */
export interface SwtpmPool {
  /** A TPM that goes on where the copied one was; its `stop` gives the process back, once. Rejects as {@link startSwtpm}. */
  take(copied: TpmState): Promise<SwtpmProcess>
  /** Ends the processes that no machine has. */
  close(): Promise<void>
}

/** Opens a pool without processes. They end when this process does, at the latest. */
export function openSwtpmPool({ directory, ...how }: PoolOptions): SwtpmPool {
  const idle: SwtpmProcess[] = []
  let started = 0
  let isOpen = true
  const start = (copied: TpmState): Promise<SwtpmProcess> => {
    started += 1
    return startSwtpm({ ...how, directory: join(directory, `tpm${started}`), copied })
  }
  const giveBack = async (tpm: SwtpmProcess): Promise<void> => {
    if (isOpen && !tpm.data.destroyed) idle.push(tpm)
    else await tpm.stop()
  }
  return {
    async take(copied) {
      const tpm = (await reuse(idle.pop(), copied)) ?? (await start(copied))
      let stopping: Promise<void> | undefined
      return {
        ...tpm,
        stop() {
          stopping ??= giveBack(tpm)
          return stopping
        },
      }
    },
    async close() {
      isOpen = false
      await Promise.all(idle.splice(0).map((tpm) => tpm.stop()))
    },
  }
}

/** One that a machine has left in a state from which it cannot go on is ended. */
async function reuse(
  tpm: SwtpmProcess | undefined,
  copied: TpmState,
): Promise<SwtpmProcess | undefined> {
  try {
    await tpm?.become(copied)
    return tpm
  } catch {
    await tpm?.stop()
    return undefined
  }
}
