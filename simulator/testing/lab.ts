import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Machine, type MachineOptions, startMachine } from '../machine/machine.ts'
import { createManufacturer, type Manufacturer } from '../swtpm/manufacturer.ts'
import { FULL_BOOT } from '../vectors/fixtures.ts'

/** The time in every test. */
export const NOW = new Date('2026-11-20T12:00:00Z')

/** Creates temporary objects for the tests of one file. */
export interface Lab {
  /** Creates a fresh directory with a short path. */
  directory(): Promise<string>
  /** Starts a machine in its own directory; default: the recorded boot. */
  machine(options?: Partial<MachineOptions>): Promise<Machine>
  manufacturer(): Promise<Manufacturer>
  /** Runs after the tests of the file, in reverse order. */
  later(cleanUp: () => unknown): void
}

/** Creates a lab for a test file. Call it at the top level, so that its clean-up can be registered. */
export function openLab(): Lab {
  const cleanUps: (() => unknown)[] = []
  let manufacturer: Promise<Manufacturer> | undefined
  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })
  const later = (cleanUp: () => unknown) => void cleanUps.push(cleanUp)
  const directory = async () => {
    const made = await mkdtemp(join(tmpdir(), 'a-'))
    later(() => rm(made, { recursive: true, force: true }))
    return made
  }
  const oneManufacturer = () => {
    manufacturer ??= createManufacturer({ now: NOW })
    return manufacturer
  }
  const machine = async (options: Partial<MachineOptions> = {}) => {
    const made = await startMachine({
      ...{ name: 'm', boot: FULL_BOOT, manufacturer: await oneManufacturer() },
      ...{ directory: options.directory ?? (await directory()), ...options },
    })
    later(() => made.close())
    return made
  }
  return { directory, machine, manufacturer: oneManufacturer, later }
}
