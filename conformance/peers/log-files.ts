import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../simulator/machine/machine.ts'

/** The logs of a machine as files: where a kernel shows them to an agent. */
export interface LogFiles {
  /** The measurement list, as the kernel prints it. */
  readonly ima: string
  /** The whole firmware log. */
  readonly boot: string
  /** Writes what was measured since: a list that grew is appended to, as an agent may hold it open; another boot has another log. */
  sync(): void
}

/** Writes the logs of a machine into a directory. */
export function writeLogFiles(machine: Pick<Machine, 'ima' | 'uefi'>, directory: string): LogFiles {
  const files = {
    ima: join(directory, 'ascii_runtime_measurements'),
    boot: join(directory, 'binary_bios_measurements'),
  }
  writeFileSync(files.boot, machine.uefi.bytes)
  writeFileSync(files.ima, machine.ima.ascii())
  return {
    ...files,
    sync() {
      const [before, now] = [readFileSync(files.ima), Buffer.from(machine.ima.ascii())]
      if (now.subarray(0, before.length).equals(before))
        appendFileSync(files.ima, now.subarray(before.length))
      else writeFileSync(files.ima, now)
      const { bytes } = machine.uefi
      if (!readFileSync(files.boot).equals(bytes)) writeFileSync(files.boot, bytes)
    },
  }
}
