import { readFile } from 'node:fs/promises'

/** Reads the firmware's event log on each call; undefined on a machine without one. */
export type BootLog = () => Promise<Uint8Array | undefined>

export function bootLog(file: string): BootLog {
  return async () => {
    try {
      return await readFile(file)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw cause
    }
  }
}
