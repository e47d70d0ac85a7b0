import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../simulator/machine/machine.ts'

/** Paths of the log files of a machine, which stand in for the kernel's securityfs files. */
export interface LogFiles {
  /** The measurement list in the kernel's text format. */
  readonly ima: string
  /** The firmware log. */
  readonly boot: string
  /** Appends new measurements, because an agent may keep the list open; a reboot replaces the logs. */
  sync(): void
}

function filesIn(directory: string): Pick<LogFiles, 'ima' | 'boot'> {
  return {
    ima: join(directory, 'ascii_runtime_measurements'),
    boot: join(directory, 'binary_bios_measurements'),
  }
}

/** The log files of a machine that has no logs: they do not exist. */
export function noLogFiles(directory: string): LogFiles {
  return { ...filesIn(directory), sync: () => undefined }
}

/** Writes the logs of a machine to a directory. */
export function writeLogFiles(machine: Pick<Machine, 'ima' | 'uefi'>, directory: string): LogFiles {
  const files = filesIn(directory)
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
