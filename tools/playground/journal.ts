import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { KEPT_FILE, type KeptMachine, type KeptPlayground } from './kept-playground.ts'

/** The state of a playground, written at every change, so that a killed playground can be continued. */
export interface Journal {
  /** The state at the start. */
  readonly before: KeptPlayground
  /** Returns the number of a new machine. */
  begin(): number
  ports(ports: readonly number[]): void
  machine(machine: KeptMachine): void
}

/** Opens the journal of a directory; without a directory nothing is written. */
export function openJournal(before: KeptPlayground, directory: string | undefined): Journal {
  let now = before
  const note = (change: Partial<KeptPlayground>) => {
    const next = { ...now, ...change }
    if (isDeepStrictEqual(next, now)) return
    now = next
    if (directory !== undefined) writeKept(directory, now)
  }
  if (directory !== undefined) writeKept(directory, now)
  return {
    before,
    begin() {
      note({ made: now.made + 1 })
      return now.made
    },
    ports: (ports) => note({ ports }),
    machine(machine) {
      const others = now.machines.filter(({ name }) => name !== machine.name)
      note({ machines: [...others, machine].sort(byNumber) })
    },
  }
}

function byNumber(one: KeptMachine, other: KeptMachine): number {
  return numberOf(one) - numberOf(other)
}

/** Number in a machine name (`m1`, `m2`). */
export function numberOf({ name }: Pick<KeptMachine, 'name'>): number {
  return Number(name.slice(1))
}

/** Writes the file atomically. */
function writeKept(directory: string, kept: KeptPlayground): void {
  const draft = join(directory, `.${KEPT_FILE}`)
  writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, join(directory, KEPT_FILE))
}
