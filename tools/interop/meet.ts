import type { Cell } from './cell.ts'
import type { Counts } from './counts.ts'
import { Disagreement } from './disagreement.ts'
import type { World } from './world.ts'

/** How a meeting ended. */
export type Outcome =
  /** Everything was as it has to be. */
  | { readonly kind: 'agree'; readonly saw: string | Counts }
  | { readonly kind: 'differ'; readonly disagreement: Disagreement }
  /** The meeting could not be held; nothing is said of either. */
  | { readonly kind: 'fault'; readonly why: string }

export interface Met {
  readonly cell: Cell
  readonly outcome: Outcome
  readonly ms: number
}

async function outcomeOf(cell: Cell, world: World): Promise<Outcome> {
  try {
    return { kind: 'agree', saw: await cell.run(world) }
  } catch (error) {
    if (error instanceof Disagreement) return { kind: 'differ', disagreement: error }
    return { kind: 'fault', why: error instanceof Error ? error.message : String(error) }
  }
}

/** Holds the meetings one after the other: they share servers, and their times are compared. */
export async function meetAll(
  cells: readonly Cell[],
  world: World,
  onMet: (met: Met) => void,
): Promise<readonly Met[]> {
  const all: Met[] = []
  for (const cell of cells) {
    const began = performance.now()
    const outcome = await outcomeOf(cell, world)
    const met = { cell, outcome, ms: performance.now() - began }
    onMet(met)
    all.push(met)
  }
  return all
}
