import { join } from 'node:path'
import { type SwtpmOptions, type SwtpmProcess, startSwtpm, type TpmState } from './process.ts'

/** Options for every process of a pool. */
interface PoolOptions extends Pick<SwtpmOptions, 'binary' | 'environment' | 'onProcess'> {
  /** An existing directory with a short path. */
  readonly directory: string
}

/**
 * swtpm processes that serve one machine after another, since starting one costs more than most machines use it
 * for.
 */
export interface SwtpmPool {
  /**
   * Returns a TPM in the state of the copied one; its `stop` returns the process to the pool, once. Rejects as
   * {@link startSwtpm} does.
   */
  take(copied: TpmState): Promise<SwtpmProcess>
  /** Ends the idle processes. */
  close(): Promise<void>
}

/** Opens an empty pool. Its processes end with this process at the latest. */
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

/** Resets a released process; ends one whose state cannot be replaced. */
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
